import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// The network as a sensor: messages at an address, stamped with their time tag's moment, else as they arrived.
final class NetReadings<Reading: SensorReading>: EventSource {
  let name: String
  let inbox = Inbox()
  private let deliver: @Sendable (Reading) -> Void
  private var vigil: (any SenderTimeout<Reading>)?

  /// What has come, on its way from the network's thread to the input's.
  final class Inbox: Sendable {
    let waiting = Locked<[Reading]>([])
    let signal = WakeEvent()

    /// Takes a message that came, where its values are a reading.
    ///
    /// - Parameters:
    ///   - time: when it takes effect: its time tag's moment, else its arrival.
    ///   - arrival: when it came.
    func take(_ arguments: [OSCArgument], time: HostTime, arrival: HostTime) {
      let isLate = arrival.seconds(since: time) > NetReadings.mostLateness
      guard let reading = Reading(time: isLate ? arrival : time, arguments: arguments) else { return }
      waiting.withLock { if $0.count < NetReadings.room { $0.append(reading) } }
      signal.raise()
    }
  }

  /// How late a time tag may be: a clock that is further behind is not believed.
  private static var mostLateness: Double { 0.25 }
  /// How many readings may wait; more are dropped.
  private static var room: Int { 4096 }

  /// A table's row for the network.
  ///
  /// - Parameters:
  ///   - patterns: addresses whose messages are read besides the readings' own, with the same values.
  ///   - vigil: makes what watches for senders that fall silent.
  static func row(
    _ patterns: [String] = [], vigil: @escaping @Sendable () -> (any SenderTimeout<Reading>)? = { nil }
  ) -> SensorRow<Reading> {
    SensorRow(
      "net", forms: ["net"], worksOffline: true,
      devices: {
        [NamedDevice(name: "net", about: "messages \(Reading.address); net:PORT for a port", isReal: false)]
      },
      open: { detail, opening in
        let port = try SensorPort.read(detail, opening)
        let isTape = try SensorPort.isTape(opening)
        let source = NetReadings(port: port, vigil: vigil(), deliver: opening.deliver)
        let tokens = ([Reading.address] + patterns).map { source.listen($0) }
        do {
          if let port, port != MoNet.port { try MoNet.listen(port: port) }
        } catch {
          for token in tokens { token.cancel() }
          throw error
        }
        if !isTape { opening.run.notice("Waiting for messages \(Reading.address) from the network.") }
        return OpenSource(source, close: { for token in tokens { token.cancel() } })
      })
  }

  init(
    port: Int?, vigil: (any SenderTimeout<Reading>)? = nil, deliver: @escaping @Sendable (Reading) -> Void
  ) {
    name = port.map { "net:\($0)" } ?? "net"
    self.vigil = vigil
    self.deliver = deliver
  }

  var descriptor: Int32? { inbox.signal.descriptor }

  var nextTime: HostTime? {
    let waiting = inbox.waiting.withLock { $0.first?.time }
    guard let silent = vigil?.nextTime else { return waiting }
    return min(silent, waiting ?? silent)
  }

  func service(until now: HostTime) {
    inbox.signal.lower()
    let readings = inbox.waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for reading in readings {
      vigil?.hear(reading, at: now)
      deliver(reading)
    }
    for reading in vigil?.giveUp(at: now) ?? [] { deliver(reading) }
  }

  private func listen(_ pattern: String) -> MoToken {
    MoNet.on(pattern) { [inbox] (message: NetMessage) in
      inbox.take(message.arguments, time: message.time, arrival: message.arrival)
    }
  }
}

/// Watches for senders that fall silent and leave something on.
protocol SenderTimeout<Reading> {
  associatedtype Reading: SensorReading

  /// Takes notice of a reading that came.
  mutating func hear(_ reading: Reading, at now: HostTime)

  /// When the next one will have been silent for too long; nil where nothing is on.
  var nextTime: HostTime? { get }

  /// What is then true.
  mutating func giveUp(at now: HostTime) -> [Reading]
}
