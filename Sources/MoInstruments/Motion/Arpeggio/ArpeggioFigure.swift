/// Which notes of a scale an arpeggio plays, step by step, and on which sixteenths of a bar.
enum ArpeggioFigure {
  /// What the numbers of `figure` mean, in a few words.
  static let about = "0 up, 1 down, 2 up and down, 3 broken"
  /// How many figures there are.
  static let count = 4

  /// The step's place in the scale, counted from the figure's lowest note.
  ///
  /// - Parameters:
  ///   - figure: which one; beyond the last counts as the last.
  ///   - step: how many notes came before.
  ///   - size: how many notes the scale has in an octave.
  static func degree(_ figure: Int, step: Int, size: Int) -> Int {
    // The triad of a scale of seven, and what sounds as open in others: every second note, and the octave.
    let chord = size >= 7 ? SIMD4(0, 2, 4, size) : SIMD4(0, 1, 3, size)
    switch figure {
    case 0: return chord[step % 4]
    case 1: return chord[3 - step % 4]
    case 2:
      let place = step % 6
      return chord[place < 4 ? place : 6 - place]
    default: return chord[(step * 2 + step / 4) % 4]
    }
  }

  /// Whether a sixteenth of the bar sounds: the more it is wound up, the more of them.
  ///
  /// - Parameters:
  ///   - sixteenth: counted from the bar's beginning.
  ///   - wound: 0 … 1.
  static func sounds(_ sixteenth: Int, wound: Float) -> Bool {
    switch sixteenth & 3 {
    case 0: true
    case 2: wound > 0.25
    default: wound > 0.6
    }
  }

  /// How strong a sixteenth is, 0 … 1: the beat most.
  static func accent(_ sixteenth: Int) -> Float {
    switch sixteenth & 3 {
    case 0: 1
    case 2: 0.8
    default: 0.65
    }
  }
}
