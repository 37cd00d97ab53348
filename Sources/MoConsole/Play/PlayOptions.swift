import MoMu

/// The options for playing an instrument, besides those of every program: notes, tempo, settings, mapping.
package struct PlayOptions: Sendable {
  /// Notes to play, one beat each.
  package var notes: NoteText?
  /// Beats per minute; nil if not given.
  package var tempo: Double?
  /// Parameters to set at the start.
  package var settings: [PlaySetting] = []
  /// A file with a mapping that replaces the instrument's own.
  package var mapping: String?
  /// A SoundFont file that replaces the piano.
  package var soundfont: String?

  package init() {}

  /// Parses a tempo.
  package static func tempo(_ text: String) throws(PlayError) -> Double {
    guard let tempo = Double(text), Tempo.range.contains(tempo) else { throw .badTempo }
    return tempo
  }

  /// Returns the tempo of the rhythm, in beats per minute; nil for no rhythm.
  ///
  /// An instrument that plays only with a rhythm gets 120 by default.
  package func rhythm(for entry: InstrumentFactory) -> Double? {
    let needsOne = entry.sheet.grid != nil && !entry.parameters.contains { $0.name == "tempo" }
    return tempo ?? (needsOne ? 120 : nil)
  }

  /// Returns warnings about settings that are out of range.
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
