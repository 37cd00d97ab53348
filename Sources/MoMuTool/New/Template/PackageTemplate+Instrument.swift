extension PackageTemplate {
  /// The source of the instrument.
  var instrument: String {
    """
    import MoInstruments

    /// A bell: strike it and it rings, tilt it for the note.
    struct \(name.type): Instrument {
      static let sheet = InstrumentInfo(
        name: "\(name.address)", summary: "a bell that you strike; tilt it for the note", plays: 36...96, tail: 5,
        mapping: \"""
          tilt-roll -45..45 -> note C4..C6 in major-pentatonic C4
          jerk -> strike 0.3..1
          \""")

      /// The parameters that you can set while it plays.
      enum Control: Int, InstrumentControl {
        case brightness

        var parameter: Parameter {
          switch self {
          case .brightness: Parameter("brightness", 0...1, default: 0.4, about: "how much metal is in it")
          }
        }
      }

      private var tone = Sine()
      private var metal = Sine()
      private var energy: Float = 0  // what a stroke gives, and what dies away
      private var level: Float = 0  // follows the energy without a jump
      private var loss: Float = 0

      init(seed: UInt64?) {}

      var isSounding: Bool { energy > 1e-5 || level > 1e-5 }

      mutating func prepare(sampleRate: Double, blockFrames: Int) {
        tone.prepare(sampleRate: sampleRate)
        metal.prepare(sampleRate: sampleRate)
        loss = Float(3 / sampleRate)
        (energy, level) = (0, 0)
      }

      mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
        switch event {
        case .noteOn(let note): strike(note)
        case .strike(let force): strike(Note(72, velocity: force))
        case .allOff: energy = 0
        default: break
        }
      }

      private mutating func strike(_ note: Note) {
        tone.frequency = note.frequency
        metal.frequency = 2.76 * note.frequency
        energy = note.velocity
      }

      mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
        for frame in block.frames {
          energy -= loss * energy
          level += 0.02 * (energy - level)
          let ripple = controls[.brightness, frame] * level * metal.tick()
          block[frame] = 0.5 * level * tone.tick(shiftedBy: 0.5 * ripple)
        }
      }
    }

    """
  }
}
