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

/// An entry of the catalogue `Instruments`: the description of a kind of instrument, and a factory for this kind.
///
/// - Thread: any but the audio thread's callback.
/// - Real-time safe: no.
public struct InstrumentFactory: Sendable {
  /// The description of the instrument.
  public let sheet: InstrumentInfo
  /// The instrument's own parameters, without `loudness`, which every playing instrument has.
  public let parameters: [Parameter]
  /// The instrument's own parameters, and `loudness`.
  public var allParameters: [Parameter] { parameters + [ParameterBank.loudness] }
  private let seat: @Sendable (_ seed: UInt64?, _ name: String, _ sampleRate: Double) -> InstrumentSlot

  /// Creates an entry for a type of instrument.
  ///
  /// - Parameters:
  ///   - kind: the type of instrument.
  ///   - make: creates an instrument from a seed (default: its `init(seed:)`).
  public init<Sound: Instrument>(
    _ kind: Sound.Type, _ make: @escaping @Sendable (_ seed: UInt64?) -> sending Sound = { Sound(seed: $0) }
  ) {
    sheet = Sound.sheet
    parameters = Sound.Control.allCases.map(\.parameter)
    seat = { TypedInstrumentSlot(make($0), name: $1, sampleRate: $2) }
  }

  /// Creates an instrument and adds it to a bus.
  ///
  /// - Parameters:
  ///   - bus: the bus that plays the instrument.
  ///   - name: the instrument's name in addresses (default: the name in its sheet).
  ///   - seed: the seed of the instrument's random numbers; nil for the next seed of `SeedSource`.
  /// - Throws: the errors of `InstrumentBus.add`.
  public func add(
    to bus: InstrumentBus, as name: String? = nil, seed: UInt64? = nil
  ) throws(InstrumentError) -> InstrumentHandle {
    InstrumentBus.rehearse(seat(1, sheet.name, bus.sampleRate))
    return try bus.add(seat(seed, try bus.freeName(name ?? sheet.name), bus.sampleRate))
  }

  /// Creates an instrument that will replace another instrument on the same bus, and returns the new instrument's slot.
  ///
  /// The replacement happens after you add the slot to the bus, when the bus next renders.
  ///
  /// - Parameters:
  ///   - other: the instrument to replace; keep `other` alive until it has left the bus.
  ///   - bus: the bus of `other`.
  /// - Throws: `InstrumentError.badName`.
  package func successor(of other: InstrumentHandle, on bus: InstrumentBus) throws(InstrumentError)
    -> InstrumentSlot
  {
    InstrumentBus.rehearse(seat(1, sheet.name, bus.sampleRate))
    let name = other.sheet.name == sheet.name ? other.name : try bus.freeName(sheet.name)
    let seat = seat(nil, name, bus.sampleRate)
    seat.inherit(other.seat)
    return seat
  }

  /// Creates an instrument and plays it, as `MoAudio.play` does.
  ///
  /// - Throws: the errors of `MoAudio.play`.
  @discardableResult
  public func play(as name: String? = nil, seed: UInt64? = nil) throws -> InstrumentHandle {
    try SharedBus.asked(add(to: try SharedBus.bus(), as: name, seed: seed))
  }
}
