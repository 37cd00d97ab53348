import MoMu

/// What is asked of an instrument beside the options that every program has: notes, a tempo, settings, a mapping.
package struct PlayOptions: Sendable {
  /// Notes to play, one beat each.
  package var notes: NoteText?
  /// Beats a minute; nil where none were given.
  package var tempo: Double?
  /// Parameters to set first.
  package var settings: [PlaySetting] = []
  /// The file of a mapping in place of the instrument's own.
  package var mapping: String?
  /// The file of recorded sounds in the piano's place.
  package var soundfont: String?

  package init() {}

  /// Reads a tempo.
  package static func tempo(_ text: String) throws(PlayError) -> Double {
    guard let tempo = Double(text), Tempo.range.contains(tempo) else { throw .badTempo }
    return tempo
  }

  /// Beats a minute of the rhythm; nil for none.
  ///
  /// What plays by the rhythm alone gets one of 120 where none is given.
  package func rhythm(for entry: InstrumentFactory) -> Double? {
    let needsOne = entry.sheet.grid != nil && !entry.parameters.contains { $0.name == "tempo" }
    return tempo ?? (needsOne ? 120 : nil)
  }

  /// What to say of settings that are out of range.
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
