/// The keys of the computer that act as piano keys: `a` to `k` are white keys from C to C, `w` to `u` the black keys.
public enum PianoKeys {
  private static let letters = Array("awsedftgyhujk")

  /// Returns the semitones from the lowest C to a computer key's note, 0 … 12; nil if the key plays no note.
  public static func semitone(_ key: Character) -> Int? { letters.firstIndex(of: key) }
}
