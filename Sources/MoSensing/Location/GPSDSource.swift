import CMoSystem
import Glibc
import MoCore
import MoRuntime

/// A client of gpsd over TCP, which reconnects if gpsd is missing or ends.
final class GPSDSource: EventSource {
  let name: String
  private let host: String
  private let port: Int
  private var address: momu_address
  private let clock: any TimeSource
  private let deliver: @Sendable (Fix) -> Void
  private let notify: @Sendable (SensorEvent) -> Void
  private var socket: Int32 = -1
  private var line: [UInt8] = []
  private var retry: HostTime
  /// The reason why gpsd does not answer; nil while gpsd answers, and before the first attempt.
  private let absence: Locked<String?>
  private var hasAsked = false

  private static let pause = 2.0
  private static let longestLine = 65_536
  private static let question = #"?WATCH={"enable":true,"json":true};"# + "\n"

  static let row = SensorRow<Fix>(
    "gpsd", forms: ["gpsd", "gpsd:HOST:PORT"],
    devices: { [NamedDevice(name: "gpsd", about: "satellites, by the program gpsd", isReal: false)] },
    check: { detail throws(SensorError) in _ = try place(detail) },
    open: { try open($0, $1) })

  static func open(_ detail: String?, _ opening: SensorOpenContext<Fix>) throws -> OpenSource {
    let (host, port, address) = try place(detail ?? "127.0.0.1")
    let absence = Locked<String?>(nil)
    return OpenSource(
      GPSDSource(host, port, address, opening, absence: absence),
      hasDevice: { absence.withLock { $0 == nil } }, problem: { absence.withLock { $0 } })
  }

  /// Parses the address of gpsd, `HOST` or `HOST:PORT`.
  ///
  /// - Throws: `SensorError.other`.
  private static func place(
    _ detail: String
  ) throws(SensorError) -> (host: String, port: Int, address: momu_address) {
    let parts = detail.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let host = parts.first, !host.isEmpty else {
      throw .other("\"\(detail)\" is not an address of gpsd: write gpsd, gpsd:HOST or gpsd:HOST:2947")
    }
    guard let port = parts.count == 2 ? wholeNumber(parts[1]) : 2947, (1...65_535).contains(port) else {
      throw .other("\"\(parts.last ?? "")\" is not a port number: use 1 to 65535, such as gpsd:\(host):2947")
    }
    let place = host == "localhost" ? "127.0.0.1" : String(host)
    // A lookup of a name would block the thread that reads all sensors.
    var address = momu_address()
    guard momu_address_parse(place, UInt16(port), &address) else {
      throw .other("\"\(host)\" is not an IP address: write numbers, such as gpsd:192.168.0.7")
    }
    return (place, port, address)
  }

  private init(
    _ host: String, _ port: Int, _ address: momu_address, _ opening: SensorOpenContext<Fix>,
    absence: Locked<String?>
  ) {
    (self.address, self.absence) = (address, absence)
    name = host == "127.0.0.1" && port == 2947 ? "gpsd" : "gpsd:\(host):\(port)"
    self.host = host
    self.port = port
    clock = opening.run.clock
    deliver = opening.deliver
    notify = opening.notify
    retry = clock.now
  }

  deinit { if socket >= 0 { close(socket) } }

  var descriptor: Int32? { socket >= 0 && hasAsked ? socket : nil }

  var nextTime: HostTime? { socket >= 0 && hasAsked ? nil : retry }

  func service(until now: HostTime) {
    if socket < 0 { connect(now) }
    if socket >= 0, !hasAsked { ask(now) }
    if hasAsked { readReports(at: now) }
  }

  private func connect(_ now: HostTime) {
    guard retry <= now else { return }
    let made = momu_tcp_connect(&address)
    guard made >= 0 else { return lose(String(cString: strerror(-made)), now) }
    socket = made
    retry = now
  }

  /// Asks gpsd for its reports if the connection is open by now; otherwise retries after 50 ms.
  private func ask(_ now: HostTime) {
    var request = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    guard momu_poll(&request, 1, 0) > 0 else {
      retry = now.advanced(bySeconds: 0.05)
      return
    }
    let error = momu_socket_error(socket)
    guard error == 0, send(socket, Self.question, Self.question.utf8.count, Int32(MSG_NOSIGNAL)) > 0
    else { return lose(String(cString: strerror(error)), now) }
    hasAsked = true
    let wasMissing = absence.withLock { absence in
      defer { absence = nil }
      return absence != nil
    }
    if wasMissing { notify(.using(name: name)) }
  }

  private func readReports(at now: HostTime) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else { return lose("gpsd has ended the connection", now) }
      for byte in bytes[..<count] {
        guard byte == 0x0A else {
          if line.count < Self.longestLine { line.append(byte) }
          continue
        }
        if let fix = GPSDReport(line)?.fix(at: clock.now) { deliver(fix) }
        line.removeAll(keepingCapacity: true)
      }
    }
  }

  private func lose(_ reason: String, _ now: HostTime) {
    if socket >= 0 { close(socket) }
    (socket, hasAsked) = (-1, false)
    line = []
    retry = now.advanced(bySeconds: Self.pause)
    let text =
      "no gpsd at \(host):\(port) (\(reason)), which is tried again: is it installed and running? sudo apt "
      + "install gpsd"
    let wasMissing = absence.withLock { absence in
      defer { absence = text }
      return absence != nil
    }
    if !wasMissing { notify(.lost(name: name, reason: text)) }
  }
}
