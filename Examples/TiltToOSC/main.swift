// TiltToOSC: a rig's accelerometer, sent out as a phone's app would send it.
//
// What happens: every reading goes to whoever listens at OSC_TO, in the messages of a phone's app.
// Signal path: accelerometer → messages of TouchOSC, ZIG SIM or Sensors2OSC → network
// What your hands do: tilt and shake. No accelerometer? Space shakes, the arrows tilt.
// Run: OSC_TO=192.168.0.7:8000 LAYOUT=zigsim swift run Examples/TiltToOSC
//   OSC_TO  who listens: 192.168.0.7:8000, studio.local:8000, broadcast:8000; left out, this very machine
//   LAYOUT  touchosc, zigsim, sensors2osc or momu (/momu/accel, x y z in g)
// Hear it: swift run Examples/ShakeDrum --accel net, in another terminal.
// Try next: send motion.activity to /shake as well; send only when the tilt has changed.
import MoMu

MoApp.run("Sends how the device moves, in the messages of a phone's app.") {
  let target = MoApp.environment("OSC_TO", default: "127.0.0.1:6449")
  let layout = try PhoneLayout(named: MoApp.environment("LAYOUT", default: "touchosc"))

  try MoNet.send("/hello", "TiltToOSC", to: target)  // a wrong target is told at once
  try MoAccel.addCallback { motion in  // the sensor's thread
    try? MoNet.send(layout.packet(motion), to: target)  // a network that goes may come back
  }
}
