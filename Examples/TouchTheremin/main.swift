// TouchTheremin: fingers on glass; each is a voice that glides.
//
// You will hear: a tone for every finger, higher to the right, louder towards the top.
// Signal path: touch screen → finger → note (its own from coming down to being lifted) → Theremin → loudspeaker
// What your hands do: touch, glide, tremble; ten fingers sing in ten voices.
// No touch screen or pad? The arrows move a finger, space lifts it; until then a simulated one draws circles.
// Run: swift run Examples/TouchTheremin; a pad for it alone: --touch 'evdev:/dev/input/event5?grab'
// Try next: draw the pitch to Scale.minorPentatonic().nearest(to:); let finger.pressure be the loudness.
import MoInstruments
import MoSensing

MoApp.run("A theremin under your fingers: across is the pitch, up is the loudness.") {
  let theremin = try MoAudio.play(Theremin())

  try MoTouch.addCallback { change in  // the sensor's thread
    for finger in change.changed {
      let pitch = 48 + 36 * finger.x  // three octaves from C3, as MIDI counts
      let force = 1 - 0.98 * finger.y  // 0 would end the note
      switch finger.phase {
      case .began: theremin.noteOn(pitch, velocity: force, id: finger.id, at: finger.time)
      case .moved: theremin.noteMove(id: finger.id, to: pitch, velocity: force, at: finger.time)
      case .ended, .cancelled: theremin.noteOff(pitch, id: finger.id, at: finger.time)
      }
    }
  }
}
