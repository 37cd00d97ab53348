import Glibc

/// The order of an arpeggio's notes, and the sixteenths of a bar on which they play.
enum ArpeggioFigure {
  /// The help text of the parameter `figure`: the figure that each number means.
  static let about = "0 up, 1 down, 2 up and down, 3 broken"
  /// The number of figures.
  static let count = 4

  /// Returns the scale degree of the next note, counted from the figure's lowest note, which is 0.
  ///
  /// - Parameters:
  ///   - figure: the figure's number; a number above the last counts as the last.
  ///   - step: the number of notes that the arpeggio has played before this note.
  ///   - size: the number of notes of the scale in an octave.
  static func degree(_ figure: Int, step: Int, size: Int) -> Int {
    // The triad and the octave of a scale of seven; in other scales, notes that sound as open.
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

  /// Returns whether a note plays on a sixteenth of the bar; the further the arpeggio is wound up, the more sixteenths
  /// have notes.
  ///
  /// - Parameters:
  ///   - sixteenth: the number of the sixteenth in the bar, from 0.
  ///   - wound: how far the arpeggio is wound up, 0 … 1.
  static func sounds(_ sixteenth: Int, wound: Float) -> Bool {
    switch sixteenth & 3 {
    case 0: true
    case 2: wound > 0.25
    default: wound > 0.6
    }
  }

  /// Returns the factor by which the force of a note on a sixteenth is multiplied: 1 on the beat, less between two
  /// beats.
  static func accent(_ sixteenth: Int) -> Float {
    switch sixteenth & 3 {
    case 0: 1
    case 2: 0.8
    default: 0.65
    }
  }
}

/// The spring that keeps an arpeggio going after a movement: wound up immediately, it runs down slowly.
struct ArpeggioSpring: Sendable {
  /// How far the spring is wound up, 0 (not at all) … 1.
  private(set) var wound: Float = 0
  private var sampleRate: Double
  private var fade: Float
  /// The number of frames until the spring begins to run down; after a strike, the length of four beats.
  private var kept = 0

  /// The time in which the spring runs down to 37 %, in seconds.
  private static let seconds = 0.5

  init(sampleRate: Double = 48_000) {
    self.sampleRate = sampleRate
    fade = Float(exp(-1 / (Self.seconds * sampleRate)))
  }

  /// Winds the spring up by the effort of a movement, 0 (still) … 1 (wild).
  mutating func move(_ effort: Float) {
    guard effort > 0 else { return }
    // A small movement is enough to start it.
    wound = max(wound, min(1, 0.1 + 0.9 * effort))
  }

  /// Winds the spring up by the force of a strike, 0 … 1; the spring begins to run down after the given number of
  /// seconds.
  mutating func strike(_ force: Float, for seconds: Double) {
    wound = max(wound, min(1, 0.2 + 0.8 * force))
    kept = Int(seconds * sampleRate)
  }

  /// Unwinds the spring immediately.
  mutating func stop() { (wound, kept) = (0, 0) }

  /// Advances by one frame.
  mutating func tick() {
    if kept > 0 {
      kept &-= 1
    } else {
      wound = wound < 0.03 ? 0 : wound * fade
    }
  }
}
