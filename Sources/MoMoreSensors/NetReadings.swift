import MoNetwork
import MoOSC
import MoProgram
import MoRealTime
import MoSensors
import MoTime

/// The network as a sensor: messages at an address, stamped with their time tag's moment, else as they arrived.
final class NetReadings<Reading: SensorReading>: InputSource {
  let name: String
  let inbox = Inbox()
  private let deliver: @Sendable (Reading) -> Void

  /// What has come, on its way from the network's thread to the input's.
  final class Inbox: Sendable {
    let waiting = Guarded<[Reading]>([])
    let signal = MoSignal()

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
  /// - Parameter patterns: addresses whose messages are read besides the readings' own, with the same values.
  static func row(_ patterns: [String] = []) -> SensorRow<Reading> {
    SensorRow(
      "net", forms: ["net"], worksOffline: true,
      devices: {
        [NamedDevice(name: "net", about: "messages \(Reading.address); net:PORT for a port", isReal: false)]
      },
      open: { detail, opening in
        let port = try SensorPort.read(detail, opening)
        let isTape = try SensorPort.isTape(opening)
        let source = NetReadings(port: port, deliver: opening.deliver)
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

  init(port: Int?, deliver: @escaping @Sendable (Reading) -> Void) {
    name = port.map { "net:\($0)" } ?? "net"
    self.deliver = deliver
  }

  var descriptor: Int32? { inbox.signal.descriptor }

  var nextTime: HostTime? { inbox.waiting.withLock { $0.first?.time } }

  func service(until now: HostTime) {
    inbox.signal.lower()
    let readings = inbox.waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for reading in readings { deliver(reading) }
  }

  private func listen(_ pattern: String) -> MoToken {
    MoNet.on(pattern) { [inbox] (message: NetMessage) in
      inbox.take(message.arguments, time: message.time, arrival: message.arrival)
    }
  }
}
