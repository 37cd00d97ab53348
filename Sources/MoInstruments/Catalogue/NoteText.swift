import MoDSP

/// Notes typed as text, one word per beat: `C4 E4 G4`, chords as `C4+E4+G4`, `-` for a rest.
///
/// C4 is middle C, MIDI note 60. `F#3` is a semitone above F3, `Bb5` a semitone below B5. Numbers from 0 to 127
/// are also accepted.
///
/// - Thread: any; a plain value.
/// - Real-time safe: no.
public struct NoteText: Sendable, Equatable {
  /// For each beat, the pitches of its notes, as MIDI note numbers; an empty array is a rest.
  public var beats: [[Float]]

  /// Parses notes.
  ///
  /// - Throws: `InstrumentError.noNotes`, with the word that cannot be parsed.
  public init(_ text: String) throws(InstrumentError) {
    beats = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "|" }) {
      var chord: [Float] = []
      if word != "-" {
        for name in word.split(separator: "+", omittingEmptySubsequences: false) {
          guard let pitch = NoteText.pitch(name) else { throw .noNotes(text: text, word: String(word)) }
          chord.append(pitch)
        }
      }
      beats.append(chord)
    }
    if beats.isEmpty { throw .noNotes(text: text, word: text) }
  }

  /// Returns the MIDI note number for a note's name or number as text; nil for other text, and outside 0 … 127.
  public static func pitch(_ name: some StringProtocol) -> Float? {
    if let number = Float(name) { return (0...127).contains(number) ? number : nil }
    var rest = name.lowercased()[...]
    guard let letter = rest.popFirst(), let place = Array("c d ef g a b").firstIndex(of: letter),
      letter != " "
    else {
      return nil
    }
    var semitone = place
    if rest.first == "#" || rest.first == "♯" { semitone += 1 }
    if rest.first == "b" || rest.first == "♭" { semitone -= 1 }
    if let sign = rest.first, "#♯b♭".contains(sign) { rest.removeFirst() }
    guard let octave = Int(rest), (-1...9).contains(octave) else { return nil }
    let pitch = 12 * (octave + 1) + semitone
    return (0...127).contains(pitch) ? Float(pitch) : nil
  }

  /// Returns the name of a pitch, such as `C4`; a deviation in cents follows if it is not 0, as in `C4+25`.
  public static func name(_ pitch: Float) -> String {
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    let note = Int(max(0, min(pitch, 127)).rounded())
    let cents = Int(((pitch - Float(note)) * 100).rounded())
    let name = names[note % 12] + "\(note / 12 - 1)"
    return cents == 0 ? name : name + (cents > 0 ? "+" : "") + "\(cents)"
  }
}
