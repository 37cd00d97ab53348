/// The keys of the computer that act as piano keys: `a` to `k` are white keys from C to C, `w` to `u` the black keys.
public enum PianoKeys {
  private static let letters = Array("awsedftgyhujk")

  /// Returns how many semitones a key is above the lowest C, 0 … 12; nil for a key that is no piano key.
  public static func semitone(_ key: Character) -> Int? { letters.firstIndex(of: key) }
}
