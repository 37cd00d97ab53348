import Glibc
import MoCore
import MoRuntime

/// Asks an Industrial I/O vector for its value again and again, stamped halfway between question and answer.
package final class IIOPolledSource<Reading: SensorReading>: EventSource {
  package let name: String
  package let descriptor: Int32? = nil
  private let triple: IIOTriple
  private let clock: any TimeSource
  private let make: @Sendable (HostTime, SIMD3<Float>) -> Reading
  private let deliver: @Sendable (Reading) -> Void
  private let files: [Int32]
  private let period: Int64
  private var due: HostTime
  private var failures = 0

  /// The rates that are asked for, whatever the driver says.
  private static var rates: ClosedRange<Double> { 1...200 }
  /// A bus may be busy for a moment; this many failures in a row are no moment.
  private static var patience: Int { 20 }

  package init(
    _ triple: IIOTriple, clock: any TimeSource, deliver: @escaping @Sendable (Reading) -> Void,
    make: @escaping @Sendable (HostTime, SIMD3<Float>) -> Reading
  ) {
    name = "iio:\(triple.device.detail)"
    self.triple = triple
    self.clock = clock
    self.make = make
    self.deliver = deliver
    files = IIOTriple.axes.map {
      open("\(triple.device.folder)/in_\(triple.channel)_\($0)_raw", O_RDONLY | O_CLOEXEC)
    }
    let rate = triple.rate.flatMap { $0 > 0 ? $0 : nil } ?? 100
    period = Int64(1e9 / min(max(rate, Self.rates.lowerBound), Self.rates.upperBound))
    due = clock.now
  }

  deinit { for file in files where file >= 0 { close(file) } }

  package var nextTime: HostTime? { due }

  package func service(until now: HostTime) throws {
    guard due <= now else { return }
    // What was missed is missed: the sensor has one value, and it is the present one. All sources of one rate are due
    // at the same moments, so that several wake the machine no more often than one.
    due = HostTime(nanoseconds: (now.nanoseconds / period + 1) * period)
    let before = clock.now
    var counts = SIMD3<Double>.zero
    for axis in 0..<3 {
      guard let count = IIOPolledSource.number(files[axis]) else { return try failed(errno) }
      counts[axis] = count
    }
    guard let value = triple.value(counts) else { return try failed(ERANGE) }
    failures = 0
    let time = before.advanced(byNanoseconds: (clock.now.nanoseconds &- before.nanoseconds) / 2)
    deliver(make(time, value))
  }

  private func failed(_ reason: Int32) throws {
    failures += 1
    guard reason == ENODEV || reason == ENOENT || failures >= Self.patience else { return }
    throw SensorError.wentAway(name: name, reason: String(cString: strerror(reason)))
  }

  /// What a file says now, read from its beginning; nil, with errno, where it says nothing.
  private static func number(_ file: Int32) -> Double? {
    var bytes = [CChar](repeating: 0, count: 64)
    errno = ENODEV
    guard file >= 0, pread(file, &bytes, bytes.count - 1, 0) > 0 else { return nil }
    // What is no number is none, as sysfs says of a device that does not answer.
    var end: UnsafeMutablePointer<CChar>?
    let number = bytes.withUnsafeBufferPointer { start -> Double? in
      let number = strtod(start.baseAddress!, &end)
      return end.map { UnsafePointer($0) != start.baseAddress } == true && number.isFinite ? number : nil
    }
    if number == nil { errno = EINVAL }
    return number
  }
}
