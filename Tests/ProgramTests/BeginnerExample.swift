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

// Voices as a beginner sets them: a note, parameters and readings, none converted. It need only compile.
struct BeginnerVoice {
  private var string = PluckedString()
  private var bar = Bar()
  private var reed = Reed()
  private var tine = Tine()
  private var filter = BiQuad()
  private var sweep = StateVariable(.lowPass, frequency: 800, sampleRate: 48_000)
  private var smooth = OnePole()
  private var comb = Comb(delay: 200, feedback: 0.5, longest: 400)
  private var line = DelayLine(longest: 400)
  private var loss = 0.0
  private var energy: Float = 1

  mutating func play(_ note: Note, tilt: Float, sampleRate: Double) {
    loss = 3 / sampleRate
    string.frequency = note.frequency
    string.frequency = MoFun.midiToHz(note.pitch)
    string.set(decay: 1 + tilt, brightness: tilt, place: 0.2)
    bar.set(.glass, frequency: note.frequency, decay: tilt)
    bar.set(.glass, frequency: 440, decay: tilt)
    bar.set(.steel, frequency: MoFun.midiToHz(note.pitch + tilt))
    reed.set(frequency: MoFun.midiToHz(note.pitch), brightness: tilt)
    reed.leap(to: 200 * (1 + tilt))
    tine.strike(note.frequency, force: note.velocity, brightness: tilt, decay: 1 + tilt)
    tine.strike(440, force: tilt, brightness: tilt, decay: tilt)
    tine.tune(200 * (1 + tilt))
    tine.damp(within: tilt)
    filter.coefficients = .lowPass(frequency: 200 + 400 * tilt, q: 1 + tilt, sampleRate: sampleRate)
    filter.coefficients = .peak(frequency: 200, q: 2, decibels: 6, sampleRate: sampleRate)
    sweep.set(frequency: 4 * note.frequency, q: 1 + tilt, sampleRate: sampleRate)
    sweep.set(frequency: 1000, q: tilt, sampleRate: sampleRate)
    smooth.setTime(0.01 * tilt, sampleRate: sampleRate)
    comb.setDecay(seconds: 1 + tilt, sampleRate: sampleRate)
  }

  mutating func tick(_ lfo: Float) -> Float {
    energy -= loss * energy
    return energy * line.tick(string.tick(), delay: 200 + 100 * lfo)
  }
}
