/// The part of the keyboard that is shown and played: it starts at a C and spans 1 to 5 octaves.
///
/// Fewer octaves make wider keys. More octaves set the two rows of computer keys farther apart: the lower
/// row plays the range's lowest octave, the upper row its highest.
struct PianoRange: Equatable {
  /// The lowest C as a MIDI note number, 24 … 96.
  private(set) var first = 48
  /// The width in octaves, 1 … 5.
  private(set) var octaves = 2

  static let widest = 5

  /// The notes of the range, within the keys of a piano.
  var notes: ClosedRange<Int> { first...min(first + 12 * octaves, 108) }

  /// Moves the range by whole octaves.
  mutating func move(by steps: Int) { first = max(24, min(first + 12 * steps, 108 - 12 * octaves)) }

  /// Widens the range by octaves; narrows it if `steps` is negative.
  mutating func widen(by steps: Int) {
    octaves = max(1, min(octaves + steps, PianoRange.widest))
    move(by: 0)
  }

  /// The lower row of letters and the row above it: white keys, with the black keys between.
  static let lowerRow = Array("zsxdcvgbhnjm,")
  /// The upper row of letters and the digits above it.
  static let upperRow = Array("q2w3er5t6y7ui")

  /// Returns the note of a computer key; nil if it has none.
  func note(_ key: Character) -> Int? {
    if let step = PianoRange.lowerRow.firstIndex(of: key) { return first + step }
    if let step = PianoRange.upperRow.firstIndex(of: key) { return first + 12 * (octaves - 1) + step }
    return nil
  }

  /// Returns the computer key of a note; nil if it has none.
  ///
  /// If both rows play the note, returns the key of the upper row.
  func key(_ note: Int) -> Character? {
    let (low, high) = (note - first, note - first - 12 * (octaves - 1))
    if PianoRange.upperRow.indices.contains(high) { return PianoRange.upperRow[high] }
    return PianoRange.lowerRow.indices.contains(low) ? PianoRange.lowerRow[low] : nil
  }
}
