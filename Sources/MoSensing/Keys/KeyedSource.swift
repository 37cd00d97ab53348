import MoCore
import MoRuntime

/// A sensor that is played on the terminal's keys; until the first one that plays it, a simulated player may.
///
/// - Thread: the input loop's, which also hands it the keys.
final class KeyedSource<Hand: KeyControl>: EventSource {
  typealias Reading = Hand.Reading

  let name = "keys"
  let descriptor: Int32? = nil
  private var hand: Hand
  private var player: (any EventSource)?
  /// What the player said last.
  private let last: Locked<Reading?>
  private let deliver: @Sendable (Reading) -> Void
  private let clock: any TimeSource
  private var closed: HostTime?

  /// - Parameter player: who plays until the first key, if anybody.
  init(_ hand: Hand, player: SimulatedPlayer<Reading>?, _ opening: SensorOpenContext<Reading>) {
    self.hand = hand
    let last = Locked<Reading?>(nil)
    let deliver = opening.deliver
    self.last = last
    self.deliver = deliver
    clock = opening.run.clock
    self.player = player?(
      opening.delivering { reading in
        last.withLock { $0 = reading }
        deliver(reading)
      })
  }

  var nextTime: HostTime? { closed ?? (player == nil ? hand.nextTime : player?.nextTime) }

  /// Does what a key says; whether it says anything here.
  func take(_ key: TerminalKey, at now: HostTime) -> Bool {
    var next = hand
    var readings: [Reading] = []
    if player != nil, let last = last.withLock({ $0 }) { readings = next.takeOver(from: last, at: now) }
    guard let typed = next.take(key, at: now) else { return false }
    (hand, player) = (next, nil)
    for reading in readings + typed { deliver(reading) }
    return true
  }

  /// There will be no more keys.
  func close() { closed = clock.now }

  /// - Throws: `SensorError.wentAway` where the terminal was closed.
  func service(until now: HostTime) throws {
    if closed != nil { throw SensorError.wentAway(name: name, reason: "the terminal was closed") }
    if let player { return try player.service(until: now) }
    for reading in hand.due(at: now) { deliver(reading) }
  }
}

extension KeyedSource {
  /// Takes the terminal's keys from now on; nil where there is none.
  ///
  /// - Parameter isFirst: for a hand that needs but a few: it is asked before a desk, which has more.
  private static func open(
    _ hand: Hand, isFirst: Bool, player: SimulatedPlayer<Reading>?, _ opening: SensorOpenContext<Reading>
  ) throws -> OpenSource? {
    let source = KeyedSource(hand, player: player, opening)
    // The input loop services the source and hands it the keys, one thing at a time.
    nonisolated(unsafe) let handed = source
    do {
      let token = try opening.run.keys.add(
        to: opening.run.input, isFirst: isFirst, { handed.take($0, at: $1) }, closed: { handed.close() })
      return token.map { token in OpenSource(source, close: { token.cancel() }) }
    } catch {
      throw SensorError.noThread(reason: "\(error)")
    }
  }

  /// A table's row for keys.
  static func row(
    _ about: String, isFirst: Bool = false, _ hand: @escaping @Sendable () -> Hand
  ) -> SensorRow<Reading> {
    SensorRow(
      "keys", forms: ["keys"],
      devices: { [NamedDevice(name: "keys", about: about, isReal: false)] },
      open: { detail, opening in
        guard detail == nil else { return nil }
        if let keys = try open(hand(), isFirst: isFirst, player: nil, opening) { return keys }
        throw SensorError.noTerminal(option: opening.option, instead: opening.offlineForms.first ?? "net")
      })
  }

  /// Keys in a device's place.
  ///
  /// - Parameter how: what they do, such as `the arrows turn`.
  static func standIn(
    _ how: String, isFirst: Bool = false, _ hand: @escaping @Sendable () -> Hand
  ) -> KeysStandIn<Reading> {
    KeysStandIn(how: how) { opening, player in
      try open(hand(), isFirst: isFirst, player: player, opening)
    }
  }
}
