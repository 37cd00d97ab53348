import MoDSP
import MoMu

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
  private let makeSlot: @Sendable (_ seed: UInt64?, _ name: String, _ sampleRate: Double) -> InstrumentSlot

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
    makeSlot = { TypedInstrumentSlot(make($0), name: $1, sampleRate: $2) }
  }

  /// Creates an instrument and adds it to a bus.
  ///
  /// - Parameters:
  ///   - bus: the bus that plays the instrument.
  ///   - name: the instrument's name in addresses: lower-case letters, digits and hyphens (default: the name in its
  ///     sheet). A name that is taken gets a number, such as `harp-2`.
  ///   - seed: the seed of the instrument's random numbers; nil for the next seed of `SeedSource`.
  /// - Throws: the errors of `InstrumentBus.add`.
  public func add(
    to bus: InstrumentBus, as name: String? = nil, seed: UInt64? = nil
  ) throws(InstrumentError) -> InstrumentHandle {
    InstrumentBus.warmUp(makeSlot(1, sheet.name, bus.sampleRate))
    return try bus.add(makeSlot(seed, try bus.freeName(name ?? sheet.name), bus.sampleRate))
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
    InstrumentBus.warmUp(makeSlot(1, sheet.name, bus.sampleRate))
    let name = other.sheet.name == sheet.name ? other.name : try bus.freeName(sheet.name)
    let slot = makeSlot(nil, name, bus.sampleRate)
    slot.inherit(other.slot)
    return slot
  }

  /// Creates an instrument and plays it, as `MoAudio.play` does.
  ///
  /// - Parameters:
  ///   - name: the instrument's name in addresses, as for `MoAudio.play`.
  ///   - seed: the seed of the instrument's random numbers; nil for the next seed of `SeedSource`.
  /// - Throws: the errors of `MoAudio.play`.
  @discardableResult
  public func play(as name: String? = nil, seed: UInt64? = nil) throws -> InstrumentHandle {
    try SharedBus.asked(add(to: try SharedBus.bus(), as: name, seed: seed))
  }
}
