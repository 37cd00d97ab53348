import MoMu

/// The instruments that come with MoMu.
///
/// One that stands here is in `momu instruments` and `momu play`, can be played over the network, and is held to the
/// laws that every instrument keeps.
public enum Instruments {
  /// All of them, and those that were added.
  public static var all: [InstrumentFactory] { motion + keys + drums + simple + added.withLock { $0 } }

  private static let added = Locked<[InstrumentFactory]>([])

  /// Adds instruments from elsewhere: they are then in `all`, and found by their names.
  ///
  /// One whose name is taken is left out.
  public static func add(_ entries: [InstrumentFactory]) {
    for entry in entries where !all.contains(where: { $0.sheet.name == entry.sheet.name }) {
      added.withLock { $0.append(entry) }
    }
  }

  /// Those that are played by moving.
  public static let motion: [InstrumentFactory] = motionInstruments
  /// Those with keys.
  public static let keys: [InstrumentFactory] = keyInstruments
  /// Those that are struck, alone or by a pattern.
  public static let drums: [InstrumentFactory] = drumInstruments
  /// The simplest ones, to begin with.
  public static let simple: [InstrumentFactory] = [InstrumentFactory(Tone.self)]

  /// The instrument of that name.
  ///
  /// - Throws: `InstrumentError.unknownInstrument`, with the name that is nearest to what was typed.
  public static func named(_ name: String) throws(InstrumentError) -> InstrumentFactory {
    let all = all
    if let entry = all.first(where: { $0.sheet.name == name }) { return entry }
    throw .unknownInstrument(name: name, nearest: Spelling.nearest(to: name, among: all.map(\.sheet.name)))
  }
}
