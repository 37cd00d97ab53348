import MoMu

/// The options for playing an instrument: notes, tempo, settings, mapping and SoundFont.
///
/// The options that every program has, such as `--seconds`, are not among them.
package struct PlayOptions: Sendable {
  /// The notes to play, each with a length of one beat, such as `C4 E4 C4+E4+G4 -`; nil for none.
  package var notes: NoteText?
  /// The tempo in beats per minute; nil if the option `--tempo` is not given.
  package var tempo: Double?
  /// The parameters to set at the start, with their values.
  package var settings: [PlaySetting] = []
  /// The path of a mapping file; nil for the instrument's own mapping.
  package var mapping: String?
  /// The path of a SoundFont file to play in place of the piano; nil for none.
  package var soundfont: String?

  package init() {}

  /// Parses a tempo in beats per minute; throws `badTempo` unless the text is a number from 20 to 999.
  package static func tempo(_ text: String) throws(PlayError) -> Double {
    guard let tempo = Double(text), Tempo.range.contains(tempo) else { throw .badTempo }
    return tempo
  }

  /// Returns the tempo of the rhythm, in beats per minute; nil for no rhythm.
  ///
  /// Without `--tempo`, the result is 120 for an instrument that has a grid but no parameter `tempo`, since this
  /// instrument plays only with a rhythm. For other instruments, the result is nil.
  package func rhythm(for entry: InstrumentFactory) -> Double? {
    let needsOne = entry.sheet.grid != nil && !entry.parameters.contains { $0.name == "tempo" }
    return tempo ?? (needsOne ? 120 : nil)
  }

  /// Returns a warning for each setting whose value is out of the parameter's range.
  ///
  /// - Throws: `InstrumentError.unknownParameter`.
  package func remarks(on entry: InstrumentFactory) throws(InstrumentError) -> [String] {
    var remarks: [String] = []
    for setting in settings {
      if let remark = try setting.remark(for: entry) { remarks.append(remark) }
    }
    return remarks
  }
}
