/// The part of the keyboard that is shown and played: it starts at a C and spans 1 to 5 octaves.
///
/// With fewer octaves, the keys are drawn wider. The lower row of computer keys plays the range's lowest octave, and
/// the upper row plays the range's highest octave.
struct PianoRange: Equatable {
  /// The lowest note of the range, a C, as a MIDI note number, 24 … 96.
  private(set) var first = 48
  /// The width of the range in octaves, 1 … 5.
  private(set) var octaves = 2

  static let widest = 5

  /// The MIDI notes of the range, from the lowest C to the highest C; at most 108, a piano's highest key.
  var notes: ClosedRange<Int> { first...min(first + 12 * octaves, 108) }

  /// Moves the range up by `steps` octaves, or down if `steps` is negative; the range stays within the keys of a piano.
  mutating func move(by steps: Int) { first = max(24, min(first + 12 * steps, 108 - 12 * octaves)) }

  /// Widens the range by `steps` octaves, or narrows it if `steps` is negative; the width stays at 1 … 5 octaves.
  mutating func widen(by steps: Int) {
    octaves = max(1, min(octaves + steps, PianoRange.widest))
    move(by: 0)
  }

  /// The computer keys that play the range's lowest octave, from C up.
  ///
  /// The keys `zxcvbnm,` play the white piano keys, and `sdghj` play the black piano keys.
  static let lowerRow = Array("zsxdcvgbhnjm,")
  /// The computer keys that play the range's highest octave, from C up.
  ///
  /// The letters play the white piano keys, and the digits play the black piano keys.
  static let upperRow = Array("q2w3er5t6y7ui")

  /// Returns the MIDI note that a computer key plays; nil if the key plays no note.
  func note(_ key: Character) -> Int? {
    if let step = PianoRange.lowerRow.firstIndex(of: key) { return first + step }
    if let step = PianoRange.upperRow.firstIndex(of: key) { return first + 12 * (octaves - 1) + step }
    return nil
  }

  /// Returns the computer key that plays a MIDI note; nil if no key plays the note.
  ///
  /// If both `lowerRow` and `upperRow` have a key for the note, the result is the key of `upperRow`.
  func key(_ note: Int) -> Character? {
    let (low, high) = (note - first, note - first - 12 * (octaves - 1))
    if PianoRange.upperRow.indices.contains(high) { return PianoRange.upperRow[high] }
    return PianoRange.lowerRow.indices.contains(low) ? PianoRange.lowerRow[low] : nil
  }
}
