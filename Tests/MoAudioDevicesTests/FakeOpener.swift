import MoAudioDevices
import MoAudioEngine
import MoCore
import MoRuntime
import MoTesting

/// Cards that a test connects and disconnects.
final class FakeOpener: DeviceOpener, @unchecked Sendable {
  // Unchecked: one test thread uses it.
  let clock: ManualClock
  var cards: [String: String] = [:]  // name → card
  var rate = 48_000.0
  var opened: [FakeCard] = []
  var wanted: DeviceRequest?
  /// The error of each attempt to open a card; nil if a card can be opened.
  var error: AudioError?
  /// Sets the faults of each card that is opened.
  var damage: (FakeCard) -> Void = { _ in }

  init(clock: ManualClock) { self.clock = clock }

  func open(_ name: String, wanted: DeviceRequest) throws -> any AudioDevice {
    self.wanted = wanted
    if let error { throw error }
    guard cards[name] != nil else { throw AudioError.noDevice(name: name, others: []) }
    let card = FakeCard(name, sampleRate: rate, clock: clock)
    damage(card)
    opened.append(card)
    return card
  }
  func currentDefault() -> String? { cards["default"] }
  func devices() -> [NamedDevice] { [] }
  var changes: Int32? { nil }
  func drainChanges() {}
}
