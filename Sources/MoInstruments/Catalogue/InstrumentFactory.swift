import MoDSP
import MoMu

/// An instrument in the catalogue: what it is, and how one is made.
///
/// - Thread: any but the audio thread's callback.
/// - Real-time safe: no.
public struct InstrumentFactory: Sendable {
  /// What it says about itself.
  public let sheet: InstrumentInfo
  /// Its own parameters; `loudness` comes with being played.
  public let parameters: [Parameter]
  /// Its own parameters, and `loudness`.
  public var allParameters: [Parameter] { parameters + [InstrumentSlot.loudness] }
  private let seat: @Sendable (_ seed: UInt64?, _ name: String, _ sampleRate: Double) -> InstrumentSlot

  /// An entry for a kind of instrument.
  ///
  /// - Parameter make: makes one from a seed; left out, its `init(seed:)`.
  public init<Sound: Instrument>(
    _ kind: Sound.Type, _ make: @escaping @Sendable (_ seed: UInt64?) -> sending Sound = { Sound(seed: $0) }
  ) {
    sheet = Sound.sheet
    parameters = Sound.Control.allCases.map(\.parameter)
    seat = { TypedInstrumentSlot(make($0), name: $1, sampleRate: $2) }
  }

  /// Adds one to a bus.
  ///
  /// - Parameters:
  ///   - name: what it is called in addresses; left out, its own name.
  ///   - seed: of everything random in it; nil for the next of `SeedSource`.
  /// - Throws: as `InstrumentBus.add`.
  public func add(
    to bus: InstrumentBus, as name: String? = nil, seed: UInt64? = nil
  ) throws(InstrumentError) -> InstrumentHandle {
    InstrumentBus.rehearse(seat(1, sheet.name, bus.sampleRate))
    return try bus.add(seat(seed, try bus.freeName(name ?? sheet.name), bus.sampleRate))
  }

  /// A seat that takes the place of an instrument on a bus once it is added there.
  ///
  /// - Parameter other: it must live until it has left the bus.
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

  /// Plays one, as `MoAudio.play` does.
  ///
  /// - Throws: as `MoAudio.play`.
  @discardableResult
  public func play(as name: String? = nil, seed: UInt64? = nil) throws -> InstrumentHandle {
    try SharedBus.asked(add(to: try SharedBus.bus(), as: name, seed: seed))
  }
}
