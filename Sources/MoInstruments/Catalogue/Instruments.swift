import MoDSP
import MoMu

/// The catalogue of instruments: those that come with MoMu, and those that your program adds.
///
/// In the tool `momu`, `momu instruments` lists the entries, and `momu play` plays an entry, which other programs can
/// then play over the network. Tests check the entries against the laws that all instruments obey, such as "no click".
public enum Instruments {
  /// All built-in instruments, followed by the instruments that `add` has added.
  public static var all: [InstrumentFactory] { motion + keys + drums + simple + added.withLock { $0 } }

  private static let added = Locked<[InstrumentFactory]>([])

  /// Adds instruments to `all`, so that `named` finds them.
  ///
  /// An instrument is not added if `all` already has an instrument of the same name.
  public static func add(_ entries: [InstrumentFactory]) {
    for entry in entries where !all.contains(where: { $0.sheet.name == entry.sheet.name }) {
      added.withLock { $0.append(entry) }
    }
  }

  /// The instruments that are played by movement.
  public static let motion: [InstrumentFactory] = motionInstruments
  /// The instruments with keys.
  public static let keys: [InstrumentFactory] = keyInstruments
  /// The instruments that are struck, by hand or by a pattern.
  public static let drums: [InstrumentFactory] = drumInstruments
  /// The simplest instruments, for a first try.
  public static let simple: [InstrumentFactory] = [InstrumentFactory(Tone.self)]

  /// Returns the catalogue entry with a given name.
  ///
  /// - Throws: `InstrumentError.unknownInstrument`, which suggests the most similar name.
  public static func named(_ name: String) throws(InstrumentError) -> InstrumentFactory {
    let all = all
    if let entry = all.first(where: { $0.sheet.name == name }) { return entry }
    throw .unknownInstrument(name: name, nearest: Spelling.nearest(to: name, among: all.map(\.sheet.name)))
  }
}

/// The instruments that are played by movement; add each new instrument that movement plays to this list.
let motionInstruments: [InstrumentFactory] = [
  InstrumentFactory(ShakerInstrument.self),
  InstrumentFactory(Harp.self),
  InstrumentFactory(ReedInstrument.self),
  InstrumentFactory(Bars.self),
  InstrumentFactory(Drone.self),
  InstrumentFactory(Arpeggio.self),
]

/// The instruments with keys; add each new instrument with keys to this list.
let keyInstruments: [InstrumentFactory] = [InstrumentFactory(Piano.self)]

/// The instruments that are struck, by hand or by a pattern; add each new instrument of this kind to this list.
let drumInstruments: [InstrumentFactory] = [
  InstrumentFactory(DrumKit.self), InstrumentFactory(DrumMachine.self), InstrumentFactory(Band.self),
]
