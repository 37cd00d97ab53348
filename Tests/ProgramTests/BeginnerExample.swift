import MoInstruments
import MoMu

// A program as a beginner writes it: whole numbers, Double and Float side by side, none converted. It need only compile.
func beginnerExample() {
  let octave = 2
  let depth = 0.3
  let notes = [60, 64, 67]
  let base = MoFun.midiToHz(notes[0])

  MoApp.run("A siren that you tilt.") {
    let volume = MoParam(depth)
    let pitch = MoParam(notes[octave])
    var envelope = ADSR(attack: depth, decay: 0.1, sustain: 0.5, release: 1)
    let piano = try MoAudio.play(Piano())
    try MoAccel.addCallback { motion in
      volume.value = motion.activity
      volume.set(depth * motion.activity)
      pitch.value = 60 + motion.tilt.roll / 10
      piano.noteOn(notes[1], velocity: depth)
      piano.strike(depth)
    }
    envelope.on()
    try MoAudio.start(Sine(frequency: base), Drum(), envelope) { sine, drum, envelope, block in
      for frame in block.frames {
        sine.frequency = base + 10 * volume.tick()
        sine.frequency = MoFun.midiToHz(pitch.tick())
        sine.frequency *= 1.5
        if sine.phase > depth { drum.strike(depth) }
        let level = depth * envelope.tick()
        block[frame] = level * sine.tick() + depth * drum.tick()
        block[frame, 0] = depth
      }
    }
  }
}
