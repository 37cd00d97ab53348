import MoCore
import MoRuntime

/// A sensor that is played on the terminal's keys; a simulated player may play until the first key.
///
/// - Thread: `mo-input`, which reads the terminal and calls `handleKey` for each typed key.
package final class KeyedSource<Control: KeyControl>: EventTimer {
  package typealias Reading = Control.Reading

  package let name = "keys"
  private var control: Control
  private var player: (any EventSource)?
  /// The last reading of the simulated player; nil before its first reading.
  private let last: Locked<Reading?>
  private let deliver: @Sendable (Reading) -> Void
  private let clock: any TimeSource
  private var closed: HostTime?

  /// - Parameter player: the player until the first key; nil for none.
  package init(_ control: Control, player: SimulatedPlayer<Reading>?, _ opening: SensorOpenContext<Reading>) {
    self.control = control
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

  package var nextTime: HostTime? { closed ?? (player == nil ? control.nextTime : player?.nextTime) }

  /// Handles a typed key; returns false if the sensor does not use the key.
  package func handleKey(_ key: TerminalKey, at now: HostTime) -> Bool {
    var next = control
    var readings: [Reading] = []
    if player != nil, let last = last.withLock({ $0 }) { readings = next.takeOver(from: last, at: now) }
    guard let typed = next.handleKey(key, at: now) else { return false }
    (control, player) = (next, nil)
    for reading in readings + typed { deliver(reading) }
    return true
  }

  /// Ends the source, since the terminal was closed and sends no more keys.
  package func close() { closed = clock.now }

  /// - Throws: `SensorError.wentAway` if the terminal was closed.
  package func service(until now: HostTime) throws {
    if closed != nil { throw SensorError.wentAway(name: name, reason: "the terminal was closed") }
    if let player { return try player.service(until: now) }
    for reading in control.due(at: now) { deliver(reading) }
  }
}

extension KeyedSource {
  /// Starts to receive the terminal's keys; returns nil if there is no terminal.
  ///
  /// - Parameter isFirst: whether the source gets keys before the console; true if `control` uses only a few keys.
  private static func open(
    _ control: Control, isFirst: Bool, player: SimulatedPlayer<Reading>?,
    _ opening: SensorOpenContext<Reading>
  ) throws -> OpenSource? {
    let source = KeyedSource(control, player: player, opening)
    // The input loop services the source and passes it the keys, one call at a time.
    nonisolated(unsafe) let handed = source
    do {
      let token = try opening.run.keys.add(
        to: opening.run.input, rank: isFirst ? .first : .usual, { handed.handleKey($0, at: $1) },
        closed: { handed.close() })
      return token.map { token in OpenSource(source, close: { token.cancel() }) }
    } catch {
      throw SensorError.noThread(reason: "\(error)")
    }
  }

  /// Returns the row for the terminal's keys in a sensor's table of sources.
  static func row(
    _ about: String, isFirst: Bool = false, _ control: @escaping @Sendable () -> Control
  ) -> SensorRow<Reading> {
    SensorRow(
      "keys", forms: ["keys"],
      devices: { [NamedDevice(name: "keys", about: about, isReal: false)] },
      open: { detail, opening in
        guard detail == nil else { return nil }
        if let keys = try open(control(), isFirst: isFirst, player: nil, opening) { return keys }
        throw SensorError.noTerminal(option: opening.option, instead: opening.offlineForms.first ?? "net")
      })
  }

  /// Returns the stand-in for a device: a sensor that is played on the terminal's keys.
  ///
  /// - Parameter how: the text that tells the user the action of the keys, such as `the arrows turn`.
  static func standIn(
    _ how: String, isFirst: Bool = false, _ control: @escaping @Sendable () -> Control
  ) -> KeysStandIn<Reading> {
    KeysStandIn(how: how) { opening, player in
      try open(control(), isFirst: isFirst, player: player, opening)
    }
  }
}

/// A mapping from the terminal's keys to readings of a sensor, which is thus played on the keys.
package protocol KeyControl: Sendable {
  associatedtype Reading: SensorReading

  /// Takes over from a simulated player, which sent `last` as its last reading.
  ///
  /// - Returns: readings that lift the player's finger or release its button.
  mutating func takeOver(from last: Reading, at now: HostTime) -> [Reading]

  /// Returns the readings for a typed key; nil if this sensor does not use the key.
  mutating func handleKey(_ key: TerminalKey, at now: HostTime) -> [Reading]?

  /// The time of the next reading that comes without a key, such as the release of a button; nil for none.
  var nextTime: HostTime? { get }

  /// Returns the readings without a key, such as releases of buttons, that are due by `now`.
  mutating func due(at now: HostTime) -> [Reading]
}

extension KeyControl {
  package var nextTime: HostTime? { nil }

  package mutating func due(at now: HostTime) -> [Reading] { [] }
}
