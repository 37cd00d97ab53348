import Glibc
import MoCore
import MoRuntime

/// A thermometer on a 1-Wire bus, such as a DS18B20; its channel is `temperature`, in °C.
///
/// A conversion takes up to 750 ms, during which the kernel blocks the reader: so a separate thread reads.
package final class OneWireSource: EventSource {
  package let name: String
  package let descriptor: Int32?
  package let keepsDescriptor = true
  package let nextTime: HostTime? = nil
  private let deliver: @Sendable (ChannelReading) -> Void
  private let inbox: Inbox
  private let thread: MoThread
  private let channel = ChannelName("temperature")

  static let folder = "/sys/bus/w1/devices"
  /// The family codes with which the IDs of thermometers begin: DS18S20, DS1822, DS18B20, MAX31850, DS28EA00.
  private static let families = ["10", "22", "28", "3b", "42"]
  /// The time between two readings, in seconds.
  private static let pause = 1.0
  /// The number of consecutive failed readings, such as wrong checksums, after which the thermometer counts as lost.
  private static let mostFailures = 10

  /// The queue of the results of the thread that reads; a byte in the queue's pipe signals new results.
  private final class Inbox: Sendable {
    let (readEnd, writeEnd): (Int32, Int32)
    private let state = Locked<(readings: [(HostTime, Float)], failure: String?)>(([], nil))

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
      (readEnd, writeEnd) = (ends[0], ends[1])
    }

    // The reading thread holds it too: the pipe is closed when neither side uses it any more.
    deinit {
      close(readEnd)
      close(writeEnd)
    }

    func put(_ value: Float, at time: HostTime) {
      state.withLock { if $0.readings.count < 64 { $0.readings.append((time, value)) } }
      wake()
    }

    func fail(_ reason: String) {
      state.withLock { $0.failure = reason }
      wake()
    }

    private func wake() { _ = write(writeEnd, [1] as [UInt8], 1) }

    func popAll() -> (readings: [(HostTime, Float)], failure: String?) {
      var bytes = [UInt8](repeating: 0, count: 64)
      while Glibc.read(readEnd, &bytes, bytes.count) > 0 {}
      return state.withLock { state in
        defer { state.readings = [] }
        return state
      }
    }
  }

  /// Returns the row for thermometers in the sensor's table of sources.
  ///
  /// - Parameter folder: the kernel's folder of 1-Wire devices.
  static func row(folder: String = OneWireSource.folder) -> SensorRow<ChannelReading> {
    SensorRow(
      "w1", forms: ["w1:ID"], folder: folder,
      devices: { devices(in: folder) },
      check: { detail throws(SensorError) in try check(detail) },
      open: { detail, opening in
        guard let detail, !detail.isEmpty else { return nil }
        return OpenSource(
          try OneWireSource(detail, folder: folder, clock: opening.run.clock, deliver: opening.deliver))
      })
  }

  package static func devices(in folder: String) -> [NamedDevice] {
    SystemFiles.names(in: folder).filter { isThermometer($0) }.map {
      NamedDevice(name: "w1:\($0)", about: "a thermometer", isReal: true)
    }
  }

  private static func isThermometer(_ name: String) -> Bool {
    let parts = name.split(separator: "-")
    return parts.count == 2 && families.contains(parts[0].lowercased())
  }

  private static func check(_ detail: String) throws(SensorError) {
    guard detail.allSatisfy({ $0.isHexDigit || $0 == "-" }), isThermometer(detail) else {
      throw .other(
        "\"w1:\(detail)\" is not a thermometer: write its number, such as w1:28-0316a2797bff (ls \(folder))")
    }
  }

  /// - Parameter pause: the time between two readings, in seconds.
  /// - Throws: `SensorError`.
  package init(
    _ detail: String, folder: String, clock: any TimeSource, pause: Double = OneWireSource.pause,
    deliver: @escaping @Sendable (ChannelReading) -> Void
  ) throws(SensorError) {
    try OneWireSource.check(detail)
    let device = "\(folder)/\(detail)"
    let files = ["w1_slave", "temperature"].map { "\(device)/\($0)" }
    guard let file = files.first(where: { access($0, F_OK) == 0 }) else {
      throw .noDevice(path: "w1:\(detail)", advice: "ls \(folder) lists the devices")
    }
    guard access(file, R_OK) == 0 else { throw .noPermission(path: file) }
    guard let inbox = Inbox() else { throw .other("w1:\(detail): \(String(cString: strerror(errno)))") }
    self.inbox = inbox
    name = "w1:\(detail)"
    descriptor = inbox.readEnd
    self.deliver = deliver
    do {
      thread = try MoThread(name: "mo-w1") { thread in
        OneWireSource.measure(file, into: inbox, clock) {
          thread.isCancelled
        } pause: {
          thread.sleep(for: .seconds(pause))
        }
      }
    } catch {
      throw .noThread(reason: "\(error)")
    }
  }

  // The thread may be in a conversion, so this does not wait for it.
  deinit { thread.cancel() }

  private static func measure(
    _ file: String, into inbox: Inbox, _ clock: any TimeSource, isOver: () -> Bool, pause: () -> Void
  ) {
    var failures = 0
    while !isOver() {
      guard access(file, F_OK) == 0 else { return inbox.fail("it was removed") }
      let text = WholeFile.text(of: file) ?? ""
      let report =
        file.hasSuffix("w1_slave") ? OneWireReport(slave: text) : OneWireReport(temperature: text)
      if case .temperature(let value) = report {
        failures = 0
        inbox.put(value, at: clock.now)
      } else {
        failures += 1
        if failures >= mostFailures { return inbox.fail(report.reason(times: failures)) }
      }
      pause()
    }
  }

  package func service(until now: HostTime) throws {
    let (readings, failure) = inbox.popAll()
    for (time, value) in readings {
      deliver(ChannelReading(time: time, channel: channel, value: value))
    }
    if let failure { throw SensorError.wentAway(name: name, reason: failure) }
  }
}

/// The kernel's report of a thermometer on a 1-Wire bus.
///
/// - Source: the kernel's Documentation/w1/slaves/w1_therm.rst.
package enum OneWireReport: Equatable, Sendable {
  /// The temperature in °C.
  case temperature(Float)
  /// The checksum of the data is wrong, or the data line is held low.
  case wrongChecksum
  /// The value that the thermometer holds after power-on, before its first measurement.
  case powerOn
  /// Text in another format.
  case unknown

  /// Parses the file `w1_slave`: two lines of nine bytes each.
  ///
  /// The first line ends with the checksum, `crc=57 YES`. The second line ends with the temperature, `t=23125`, in
  /// thousandths of a degree Celsius.
  package init(slave text: String) {
    let lines = text.split(separator: "\n")
    guard lines.count >= 2, lines[0].contains("crc=") else {
      self = .unknown
      return
    }
    guard lines[0].hasSuffix("YES") else {
      self = lines[0].hasSuffix("NO") ? .wrongChecksum : .unknown
      return
    }
    let bytes = lines[0].prefix { $0 != ":" }.split(separator: " ")
    // A data line that is held low reads as zeros, and the checksum of zeros is zero.
    guard !bytes.allSatisfy({ $0 == "00" }) else {
      self = .wrongChecksum
      return
    }
    // The register of a DS18B20 holds 85 °C after power-on. Its byte 6 is then 0x0C, and 0x10 after a measurement of
    // 85 °C.
    guard bytes.count < 9 || (bytes[0], bytes[1], bytes[6]) != ("50", "05", "0c") else {
      self = .powerOn
      return
    }
    guard let equals = lines[1].lastIndex(of: "="), lines[1][..<equals].hasSuffix(" t") else {
      self = .unknown
      return
    }
    self = OneWireReport(thousandths: String(lines[1][lines[1].index(after: equals)...]))
  }

  /// Returns the text about a report without a temperature that came several times in a row, with advice.
  func reason(times: Int) -> String {
    switch self {
    case .wrongChecksum: "its checksum was wrong \(times) times in a row: check the wire and its resistor"
    case .powerOn: "it lost its power \(times) times in a row: check its wires"
    case .temperature, .unknown: "the kernel could not read it \(times) times in a row: check its wires"
    }
  }

  /// Parses the file `temperature`: thousandths of a degree Celsius, or nothing after a wrong checksum.
  package init(temperature text: String) {
    self = text.isEmpty ? .wrongChecksum : OneWireReport(thousandths: text)
  }

  private init(thousandths text: String) {
    // Thermometers of these families measure from -55 to 125 °C.
    guard let number = Int(text.prefix { !$0.isNewline }), (-55_000...125_000).contains(number) else {
      self = .unknown
      return
    }
    self = .temperature(Float(Double(number) / 1000))
  }
}
