import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// A source that delivers the readings in OSC messages from the network.
///
/// The time of a reading is the message's time tag. If the message has no time tag, or arrives much later
/// (`mostLateness`), the time of arrival is used instead.
///
/// If the sensor measures a quantity, such as a rotation, only the readings of a single host are read (`SenderChoice`).
/// Events, such as presses of buttons, are read from all hosts.
package final class NetReadings<Reading: SensorReading>: EventSource {
  package let name: String
  package let inbox: Inbox
  private let deliver: @Sendable (Reading) -> Void
  private var senderTimeout: (any SenderTimeout<Reading>)?

  /// The received readings, on their way from the network's thread to the thread `mo-input`, which delivers them.
  package final class Inbox: Sendable {
    let waiting = Locked<[Reading]>([])
    let signal = WakeEvent()
    private let choice = Locked(SenderChoice())
    private let preferred: @Sendable () -> String?
    private let ignored: @Sendable (_ host: String, _ chosen: String) -> Void

    fileprivate init(
      preferred: @escaping @Sendable () -> String?, ignored: @escaping @Sendable (String, String) -> Void
    ) {
      (self.preferred, self.ignored) = (preferred, ignored)
    }

    /// Queues a message, if its values are a reading and its sender is read.
    ///
    /// - Parameters:
    ///   - host: the address of the sender, without the port.
    ///   - time: the message's time tag, or its arrival if it has no time tag.
    ///   - arrival: the time at which the message arrived.
    package func add(_ arguments: [OSCArgument], from host: String, time: HostTime, arrival: HostTime) {
      let isLate = arrival.seconds(since: time) > NetReadings.mostLateness
      guard let reading = Reading(time: isLate ? arrival : time, arguments: arguments) else { return }
      // The network delivers a message at its time tag.
      guard !Reading.canBeThinned || isRead(host, at: max(time, arrival)) else { return }
      waiting.withLock { if $0.count < NetReadings.room { $0.append(reading) } }
      signal.raise()
    }

    private func isRead(_ host: String, at now: HostTime) -> Bool {
      let preferred = preferred()
      switch choice.withLock({ $0.decide(host, preferred: preferred, at: now) }) {
      case .read: return true
      case .ignored: return false
      case .firstIgnored(let chosen):
        ignored(host, chosen)
        return false
      }
    }
  }

  /// The largest delay from a time tag to the message's arrival, in seconds.
  ///
  /// If the delay is larger, the sender's clock counts as wrong, and the time of arrival is used.
  private static var mostLateness: Double { 0.25 }
  /// The largest number of readings that wait; more are dropped.
  private static var room: Int { 4096 }

  /// Returns the row for the network in a sensor's table of sources.
  ///
  /// - Parameters:
  ///   - patterns: further addresses whose messages are read, with the same arguments as messages at `Reading.address`.
  ///   - senderTimeout: creates the monitor of senders that become silent.
  static func row(
    _ patterns: [String] = [],
    senderTimeout: @escaping @Sendable () -> (any SenderTimeout<Reading>)? = { nil }
  ) -> SensorRow<Reading> {
    SensorRow(
      "net", forms: ["net"], worksOffline: true,
      devices: {
        [NamedDevice(name: "net", about: "messages \(Reading.address); net:PORT for a port", isReal: false)]
      },
      open: { detail, opening in
        let port = try SensorPort.read(detail, opening)
        let isTape = try SensorPort.isTape(opening)
        let run = opening.run
        let source = NetReadings(
          port: port, senderTimeout: senderTimeout(), preferred: { run.phone.withLock { $0 } },
          ignored: { [noun = opening.noun] host, chosen in
            run.notice(
              "\(host) sends readings of \(noun), too; MoMu reads \(chosen). MoMu reads the next sender if "
                + "\(chosen) is silent for two seconds, or if the accelerometer reads another phone.")
          }, deliver: opening.deliver)
        let claim = try SensorPort.listen(port, opening)
        let tokens = [claim] + ([Reading.address] + patterns).map { source.listen($0) }
        if !isTape { run.notice("Waiting for messages \(Reading.address) from the network.") }
        return OpenSource(source, close: { for token in tokens { token.cancel() } })
      })
  }

  /// - Parameters:
  ///   - port: the port that the source names; nil for none.
  ///   - preferred: returns the host that is read as soon as it sends; nil for none.
  ///   - ignored: receives the host of each sender that is not read, once, and the host that is read.
  package init(
    port: Int?, senderTimeout: (any SenderTimeout<Reading>)? = nil,
    preferred: @escaping @Sendable () -> String? = { nil },
    ignored: @escaping @Sendable (_ host: String, _ chosen: String) -> Void = { _, _ in },
    deliver: @escaping @Sendable (Reading) -> Void
  ) {
    inbox = Inbox(preferred: preferred, ignored: ignored)
    name = port.map { "net:\($0)" } ?? "net"
    self.senderTimeout = senderTimeout
    self.deliver = deliver
  }

  package var descriptor: Int32? { inbox.signal.descriptor }
  package let keepsDescriptor = true

  /// An offline run ends after the readings, and after the end of silent senders, which follow the messages of a tape.
  package let isFinite = true

  package var nextTime: HostTime? {
    let waiting = inbox.waiting.withLock { $0.first?.time }
    guard let silent = senderTimeout?.nextTime else { return waiting }
    return min(silent, waiting ?? silent)
  }

  package func service(until now: HostTime) {
    inbox.signal.lower()
    let readings = inbox.waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for reading in readings {
      senderTimeout?.restart(for: reading, at: now)
      deliver(reading)
    }
    for reading in senderTimeout?.giveUp(at: now) ?? [] { deliver(reading) }
  }

  private func listen(_ pattern: String) -> MoToken {
    MoNet.on(pattern) { [inbox] (message: NetMessage) in
      inbox.add(message.arguments, from: message.sender.host, time: message.time, arrival: message.arrival)
    }
  }
}

/// A monitor of senders that become silent and leave something on, such as a pressed button.
package protocol SenderTimeout<Reading> {
  associatedtype Reading: SensorReading

  /// Handles a received reading: its sender is not silent.
  mutating func restart(for reading: Reading, at now: HostTime)

  /// The time when the next sender will have been silent for too long; nil if no sender left anything on.
  var nextTime: HostTime? { get }

  /// Returns the readings that switch off everything that silent senders left on, such as the release of a pressed
  /// button.
  mutating func giveUp(at now: HostTime) -> [Reading]
}

/// The network as a sensor's source: `net` or `net:PORT`.
package enum SensorPort {
  /// Returns the port number of `net:PORT`; nil for `net` alone, which means the port on which `MoNet` listens.
  ///
  /// - Throws: `SensorError.badPort`.
  package static func read<Reading>(
    _ detail: String?, _ opening: SensorOpenContext<Reading>
  ) throws(SensorError) -> Int? {
    guard let detail else { return nil }
    return try number(detail, option: opening.option)
  }

  /// Returns `text` as a port number, 1 … 65,535; the text of an error names the option `option`.
  ///
  /// - Throws: `SensorError.badPort`.
  static func number(_ text: String, option: String) throws(SensorError) -> Int {
    guard let port = wholeNumber(text), (1...65_535).contains(port) else {
      throw .badPort(text, option: option)
    }
    return port
  }

  /// The ports of the open sources `net:PORT`, by a number for each source; all these ports are equal.
  private static let claims = Locked((next: 0, ports: [Int: Int]()))

  /// Makes the program listen on a source's port.
  ///
  /// A program listens on a single port, so the sources that name a port must all name the same port.
  ///
  /// - Parameter port: nil for the port on which the program listens already, or else its usual port.
  /// - Returns: a token whose `cancel()` ends the claim of this source on the port.
  /// - Throws: `SensorError.other` if another open source names another port; `NetError` if the port cannot be opened.
  package static func listen<Reading>(
    _ port: Int?, _ opening: SensorOpenContext<Reading>
  ) throws -> MoToken {
    let network = try NetSource(opening.run.options.net)
    guard let port else {
      // If the callbacks of the source made the program listen, an error would only be logged. During the set-up, the
      // program may still choose its port.
      if case .udp = network, MoNet.port == nil, !opening.run.isSettingUp { try MoNet.listen() }
      return MoToken {}
    }
    // With `--net udp:PORT` or a tape, the option overrides the ports of all sources.
    guard network == .udp(port: nil) else {
      try open(port)
      return MoToken {}
    }
    let number = try claims.withLock { claims throws(SensorError) -> Int in
      if let other = claims.ports.values.first, other != port {
        throw .other(
          "net:\(port) cannot be read while another sensor reads net:\(other): a program listens on a single "
            + "port; use net:\(other), and set this port in the sender")
      }
      claims.next += 1
      claims.ports[claims.next] = port
      return claims.next
    }
    let claim = MoToken { claims.withLock { _ = $0.ports.removeValue(forKey: number) } }
    do {
      try open(port)
    } catch {
      claim.cancel()
      throw error
    }
    return claim
  }

  private static func open(_ port: Int) throws {
    if port != MoNet.port { try MoNet.listen(port: port) }
  }

  /// Returns whether `--net` names a tape, which is then played in place of the network.
  ///
  /// - Throws: `SensorError.noNetwork` for `--net none`, `.notOffline` for the network in an offline run; `NetError`
  ///   for an invalid `--net`.
  package static func isTape<Reading>(_ opening: SensorOpenContext<Reading>) throws -> Bool {
    let network = try NetSource(opening.run.options.net)
    if network == .none { throw SensorError.noNetwork(option: opening.option) }
    if case .tape = network { return true }
    if opening.run.isOffline {
      throw SensorError.notOffline(name: "net", option: opening.option, known: opening.offlineForms)
    }
    return false
  }
}
