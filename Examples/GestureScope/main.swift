// GestureScope: draws the gestures that MoMu finds in your movement.
//
// You will see: how wildly you move, how you hold the device, and every strike and tap; a line for each.
// Signal path: accelerometer → activity, energy, tilt, strike, tap (MotionFeatures) → curves in the terminal
// What your hands do: shake, tilt, tap. No accelerometer? Space shakes, the arrows tilt.
// Run: swift run Examples/GestureScope
//      to list the gestures on a tape with their times: --accel tape:take1.osc --offline
// Try next: a row for motion.isShaken; strikes of MoGyro; a drum for every tap.
import MoMu

MoApp.run("What a movement means, drawn while you move: activity, tilt, strikes, taps.") {
  let start = MoApp.now
  let strike = MoParam(0)  // the force since the last drawing
  let tap = MoParam(0)

  try MoAccel.addCallback { motion in  // the sensor's thread
    let moment = motion.time.seconds(since: start)
    if let force = motion.strike {
      strike.value = force
      MoLog.log(.notice, "\(rounded(moment)) s  strike \(rounded(force))")
    }
    if let force = motion.tap {
      tap.value = force
      MoLog.log(.notice, "\(rounded(moment)) s  tap \(rounded(force))")
    }
  }
  let scope = Scope([
    Trace("activity", 0...1), Trace("energy, g²", 0...2), Trace("pitch (top up), °", -90...90),
    Trace("roll (right), °", -180...180), Trace("strike", 0...1), Trace("tap", 0...1),
  ])
  MoApp.draw(scope) { scope in  // the main thread, twenty times a second
    let motion = MoAccel.reading
    let tilt = motion.tilt
    scope.add([motion.activity, motion.energy, tilt.pitch, tilt.roll, strike.take(), tap.take()])
    return scope.text
  }
}
