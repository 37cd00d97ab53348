/// The letters of the computer keyboard that act as the piano keys of an octave, from C to C.
///
/// The letters `asdfghjk` are the white keys, and `wetyu` are the black keys.
public enum PianoKeys {
  private static let letters = Array("awsedftgyhujk")

  /// Returns the number of semitones from the lowest C, the note of `a`, up to a computer key's note, 0 … 12.
  ///
  /// The result is nil if the key plays no note.
  public static func semitone(_ key: Character) -> Int? { letters.firstIndex(of: key) }
}
