// TouchTheremin: each finger on a touch screen plays its own gliding tone.
//
// You will hear: a tone for every finger, higher to the right, louder towards the top.
// Signal path: touch screen → finger → note (from touch to lift) → Theremin → loudspeaker
// What your hands do: touch, glide, tremble. Ten fingers play ten voices.
// No touch screen or touch pad? The arrows move a finger, space lifts it.
// Until you press a key, a simulated finger draws circles.
// Run: swift run Examples/TouchTheremin
//      a touch pad that no other program reads: --touch 'evdev:/dev/input/event5?grab'
// Try next: snap the pitch to Scale.minorPentatonic().nearest(to:); set the loudness from finger.pressure.
import MoInstruments
import MoSensing

MoApp.run("A theremin under your fingers: across is the pitch, up is the loudness.") {
  let theremin = try MoAudio.play(Theremin())

  try MoTouch.addCallback { change in  // the sensor's thread
    for finger in change.changed {
      let pitch = 48 + 36 * finger.x  // three octaves from C3, as a MIDI note number
      let force = 1 - 0.98 * finger.y  // 0 would end the note
      switch finger.phase {
      case .began: theremin.noteOn(pitch, velocity: force, id: finger.id, at: finger.time)
      case .moved: theremin.noteMove(id: finger.id, to: pitch, velocity: force, at: finger.time)
      case .ended, .cancelled: theremin.noteOff(pitch, id: finger.id, at: finger.time)
      }
    }
  }
}
