// TiltToOSC: sends an accelerometer's readings in the messages of a phone app.
//
// What happens: every reading goes to the address of --to, in the format of the phone app of --layout.
// Signal path: accelerometer → messages of TouchOSC, ZIG SIM or Sensors2OSC → network
// What your hands do: tilt and shake. No accelerometer? Space shakes, the arrows tilt.
// Run: swift run Examples/TiltToOSC --to 192.168.0.7:8000 --layout zigsim
//   --to      the receiver: 192.168.0.7:8000, studio.local:8000, broadcast:8000 (default: this machine)
//   --layout  touchosc, zigsim, sensors2osc or momu (/momu/accel, x y z in g)
// Hear it: swift run Examples/ShakeDrum --accel net, in another terminal.
// Try next: also send motion.activity to /shake; send only if the tilt has changed.
import MoMu

let to = MoOption("to", "HOST:PORT", "the receiver (default: this machine, 127.0.0.1:6449)")
let app = MoOption("layout", "NAME", "touchosc (default), zigsim, sensors2osc or momu")

MoApp.run("Sends how the device moves, in the messages of a phone's app.", options: [to, app]) {
  let target = to.text ?? "127.0.0.1:6449"
  let layout = try PhoneLayout(named: app.text ?? "touchosc")

  try MoNet.send("/hello", "TiltToOSC", to: target)  // a wrong address throws immediately
  try MoAccel.addCallback { motion in  // the sensor's thread
    try? MoNet.send(layout.packet(motion), to: target)  // an error here passes: the network may come back
  }
}
