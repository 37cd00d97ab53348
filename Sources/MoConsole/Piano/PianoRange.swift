/// The part of the keyboard that is shown and played: from a C, so many octaves wide.
///
/// Fewer octaves make wider keys, more of them put the two rows of the computer's keys farther apart: the lower row
/// plays the range's lowest octave, the upper row its highest.
struct PianoRange: Equatable {
  /// The lowest C, as MIDI counts: 24 … 96.
  private(set) var first = 48
  /// 1 … 5.
  private(set) var octaves = 2

  static let widest = 5

  /// The notes in it; the piano's ends are not passed.
  var notes: ClosedRange<Int> { first...min(first + 12 * octaves, 108) }

  /// Moves it by whole octaves.
  mutating func move(by steps: Int) { first = max(24, min(first + 12 * steps, 108 - 12 * octaves)) }

  /// Makes it so many octaves wider; narrower below 0.
  mutating func widen(by steps: Int) {
    octaves = max(1, min(octaves + steps, PianoRange.widest))
    move(by: 0)
  }

  /// The lower row of letters and the row above it: white keys, and black ones between.
  static let lowerRow = Array("zsxdcvgbhnjm,")
  /// The upper row of letters and the digits above it.
  static let upperRow = Array("q2w3er5t6y7ui")

  /// The note that a key of the computer plays; nil for none.
  func note(_ key: Character) -> Int? {
    if let step = PianoRange.lowerRow.firstIndex(of: key) { return first + step }
    if let step = PianoRange.upperRow.firstIndex(of: key) { return first + 12 * (octaves - 1) + step }
    return nil
  }

  /// The key of the computer that plays a note, the upper row's where both do.
  func key(_ note: Int) -> Character? {
    let (low, high) = (note - first, note - first - 12 * (octaves - 1))
    if PianoRange.upperRow.indices.contains(high) { return PianoRange.upperRow[high] }
    return PianoRange.lowerRow.indices.contains(low) ? PianoRange.lowerRow[low] : nil
  }
}
