import Glibc
import MoCore
import MoRuntime

/// A source that reads an Industrial I/O vector from its buffer.
///
/// It delivers every scan of its trigger, with the kernel's time stamp.
///
/// The program must set attributes of the device, which needs a udev rule or root. The device must have a trigger.
package final class IIOBufferedSource<Reading: SensorReading>: EventSource {
  package let name: String
  package let descriptor: Int32?
  package let keepsDescriptor = true
  private let triple: IIOTriple
  private let scan: IIOScan
  private let stamps: SystemClock.Stamp
  private let make: @Sendable (HostTime, SIMD3<Float>) -> Reading
  private let deliver: @Sendable (Reading) -> Void
  private var bytes: [UInt8]
  /// The time of the last read, successful or not.
  private var asked = SystemClock().now

  /// The seconds without a scan after which the source checks whether the device is still there.
  ///
  /// A device of Industrial I/O that disappears wakes the threads that wait for its buffer, but gives no reason
  /// (`iio_buffer_poll` of Linux 6.1).
  private static var timeout: Double { 1 }

  /// Turns on the device's buffer, and opens the buffer for reading; returns nil if either is impossible.
  ///
  /// If the result is nil, the buffer is on or off as before.
  package init?(
    _ triple: IIOTriple, deliver: @escaping @Sendable (Reading) -> Void,
    make: @escaping @Sendable (HostTime, SIMD3<Float>) -> Reading
  ) {
    let device = triple.device
    guard let node = device.folder.split(separator: "/").last, let scan = IIOBuffer.enable(triple) else {
      return nil
    }
    let file = open("/dev/\(node)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      IIOBuffer.disable(device)
      return nil
    }
    name = "iio:\(device.detail)"
    descriptor = file
    self.triple = triple
    self.scan = scan
    stamps = device.text("current_timestamp_clock") == "monotonic" ? .monotonic : .realtime
    self.make = make
    self.deliver = deliver
    bytes = [UInt8](repeating: 0, count: scan.size * 64)
  }

  deinit {
    if let descriptor { close(descriptor) }
    IIOBuffer.disable(triple.device)
  }

  package var nextTime: HostTime? { asked.advanced(bySeconds: Self.timeout) }

  package func service(until now: HostTime) throws {
    asked = now
    guard let descriptor else { return }
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else {
        if count == 0 || errno == EAGAIN || errno == EINTR { return }
        throw SensorError.wentAway(name: name, reason: String(cString: strerror(errno)))
      }
      for start in stride(from: 0, through: count - scan.size, by: scan.size) {
        let one = bytes[start..<start + scan.size]
        let counts = SIMD3((0..<3).map { Double(scan.elements[$0].count(in: one)) })
        let time = SystemClock().hostTime(of: scan.elements[3].count(in: one), on: stamps)
        if let value = triple.value(counts) { deliver(make(time, value)) }
      }
    }
  }
}

/// The functions that turn a device's buffer on and off.
package enum IIOBuffer {
  /// Turns the buffer on for a vector and its time stamps; returns the layout of a scan.
  ///
  /// Returns nil if that is impossible. The buffer is then on or off as before.
  static func enable(_ triple: IIOTriple) -> IIOScan? {
    let device = triple.device
    // Another program reads it already, and only one can. Besides, an MPU-6050's gyroscope cannot be polled while its
    // accelerometer is in the buffer.
    guard device.text("buffer/enable") == "0", hasOneVector(triple), hasTrigger(device) else { return nil }
    let wanted = IIOTriple.axes.map { "in_\(triple.channel)_\($0)" } + ["in_timestamp"]
    let elements = "\(device.folder)/scan_elements"
    for file in SystemFiles.names(in: elements) where file.hasSuffix("_en") {
      let isWanted = wanted.contains(String(file.dropLast(3)))
      if isWanted || device.text("scan_elements/\(file)") == "1" {
        guard device.set("scan_elements/\(file)", isWanted ? "1" : "0") else { return nil }
      }
    }
    let channels = wanted.compactMap { name -> (type: String, index: Int)? in
      guard let type = device.text("scan_elements/\(name)_type"),
        let index = device.number("scan_elements/\(name)_index")
      else { return nil }
      return Int(exactly: index).map { (type, $0) }
    }
    guard channels.count == wanted.count, let scan = IIOScan(channels) else { return nil }
    device.set("current_timestamp_clock", "monotonic")
    device.set("in_\(triple.channel)_sampling_frequency", "100")
    device.set("buffer/length", "128")
    return device.set("buffer/enable", "1") ? scan : nil
  }

  /// Returns whether the program may turn the buffer of a device on and off.
  package static func mayEnable(_ device: IIODevice) -> Bool {
    access("\(device.folder)/buffer/enable", W_OK) == 0
  }

  /// Returns whether the device has a free buffer for the vector that the program has no right to turn on.
  ///
  /// - Parameter mayEnable: returns whether the program has the right.
  package static func lacksOnlyRight(
    _ triple: IIOTriple, mayEnable: (IIODevice) -> Bool = IIOBuffer.mayEnable
  ) -> Bool {
    triple.device.text("buffer/enable") == "0" && hasOneVector(triple) && !mayEnable(triple.device)
  }

  private static func hasOneVector(_ triple: IIOTriple) -> Bool {
    IIOTriple.channels(of: triple.device).allSatisfy { $0 == triple.channel }
  }

  /// Turns off a buffer that a killed program left on: otherwise the device would report nothing until the next boot.
  ///
  /// - Parameter nodes: the folder with the device files. The kernel lets only one program at a time open such a file
  ///   (`iio_chrdev_open` in its drivers/iio/industrialio-buffer.c).
  static func clear(_ device: IIODevice, nodes: String = "/dev") {
    guard device.text("buffer/enable") == "1", let node = device.folder.split(separator: "/").last else {
      return
    }
    let file = open("\(nodes)/\(node)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    disable(device)
    close(file)
  }

  static func disable(_ device: IIODevice) { device.set("buffer/enable", "0") }

  /// Returns whether a trigger starts the device's scans.
  ///
  /// If the device has no trigger yet, the function first tries to set the device's own trigger.
  private static func hasTrigger(_ device: IIODevice) -> Bool {
    if let trigger = device.text("trigger/current_trigger"), !trigger.isEmpty { return true }
    for name in SystemFiles.names(in: IIODevice.devices) where name.hasPrefix("trigger") {
      // Such as accel_3d-dev0, with the device's number.
      let trigger = "\(device.title)-dev\(device.detail)"
      if SystemFiles.line(of: "\(IIODevice.devices)/\(name)/name") == trigger {
        return device.set("trigger/current_trigger", trigger)
      }
    }
    return false
  }
}

/// The layout of a buffered device's channels in each scan.
///
/// - Source: the kernel's Documentation/ABI/testing/sysfs-bus-iio, `scan_elements`: channels in the order of their
///   index, each aligned to its own size; the whole scan is aligned to the largest size.
package struct IIOScan: Equatable, Sendable {
  /// A channel in a scan.
  package struct Element: Equatable, Sendable {
    var isBigEndian: Bool
    var isSigned: Bool
    var bits: Int
    var bytes: Int
    var shift: Int
    var place = 0

    /// Parses a type as sysfs writes it, such as `le:s16/32>>0`.
    ///
    /// Returns nil for a type of more than 64 bits, or with a repeat count, such as `le:s16/32X3>>0`.
    package init?(_ type: String) {
      let parts = type.split { ":/>".contains($0) }
      guard parts.count >= 3, parts[0] == "le" || parts[0] == "be", !type.contains("X") else { return nil }
      isBigEndian = parts[0] == "be"
      isSigned = parts[1].hasPrefix("s")
      bits = Int(strtol(String(parts[1].dropFirst()), nil, 10))
      bytes = Int(strtol(String(parts[2]), nil, 10)) / 8
      shift = parts.count > 3 ? Int(strtol(String(parts[3]), nil, 10)) : 0
      guard (1...64).contains(bits), [1, 2, 4, 8].contains(bytes), (0..<64).contains(shift) else {
        return nil
      }
    }

    /// Returns the channel's raw value from the bytes of a scan.
    ///
    /// Only the significant bits are used, since HID sensors leave garbage in the others.
    package func count(in scan: some RandomAccessCollection<UInt8>) -> Int64 {
      var word: UInt64 = 0
      for index in 0..<bytes {
        let offset = place + (isBigEndian ? index : bytes - 1 - index)
        word = word << 8 | UInt64(scan[scan.index(scan.startIndex, offsetBy: offset)])
      }
      word >>= UInt64(shift)
      let spare = UInt64(64 - bits)
      return isSigned
        ? Int64(bitPattern: word << spare) >> Int64(spare) : Int64(bitPattern: (word << spare) >> spare)
    }
  }

  /// The requested channels, in the order of the request.
  package private(set) var elements: [Element]
  /// The size of a whole scan, in bytes.
  package let size: Int

  /// Computes the layout of a scan; returns nil if a channel's type is not valid.
  ///
  /// - Parameter channels: the type of each enabled channel, and the channel's index in the scan.
  package init?(_ channels: [(type: String, index: Int)]) {
    var elements: [Element] = []
    for channel in channels {
      guard let element = Element(channel.type) else { return nil }
      elements.append(element)
    }
    var end = 0
    let order = channels.indices.sorted { channels[$0].index < channels[$1].index }
    for number in order {
      let bytes = elements[number].bytes
      elements[number].place = (end + bytes - 1) / bytes * bytes
      end = elements[number].place + bytes
    }
    let largest = elements.map(\.bytes).max() ?? 1
    self.elements = elements
    size = (end + largest - 1) / largest * largest
  }
}
