import Glibc
import MoCore
import MoRuntime

/// A source that polls an Industrial I/O vector; the time stamp is halfway between request and answer.
package final class IIOPolledSource<Reading: SensorReading>: EventTimer {
  package let name: String
  private let triple: IIOTriple
  private let clock: any TimeSource
  private let make: @Sendable (HostTime, SIMD3<Float>) -> Reading
  private let deliver: @Sendable (Reading) -> Void
  private let files: [Int32]
  private let period: Int64
  package private(set) var nextTime: HostTime?
  private var failures = 0

  /// The range of polling rates in Hz, to which the rate that the driver reports is clamped.
  private static var rates: ClosedRange<Double> { 1...200 }
  /// The number of consecutive read errors after which the device counts as lost.
  ///
  /// A single error does not count, since a bus may be busy for a moment.
  private static var mostFailures: Int { 20 }

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
    nextTime = clock.now
  }

  deinit { for file in files where file >= 0 { close(file) } }

  package func service(until now: HostTime) throws {
    guard isDue(at: now) else { return }
    // Missed readings are not made up for: the sensor has one value, the present one. All sources of one rate are due
    // at the same times, so that several wake the machine no more often than one.
    nextTime = HostTime(nanoseconds: (now.nanoseconds / period + 1) * period)
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
    guard reason == ENODEV || reason == ENOENT || failures >= Self.mostFailures else { return }
    throw SensorError.wentAway(name: name, reason: String(cString: strerror(reason)))
  }

  /// Returns the number in a file, read from its start; nil, with errno, if it contains none.
  private static func number(_ file: Int32) -> Double? {
    var bytes = [CChar](repeating: 0, count: 64)
    errno = ENODEV
    guard file >= 0, pread(file, &bytes, bytes.count - 1, 0) > 0 else { return nil }
    // Unparsable text means that the device did not answer.
    var end: UnsafeMutablePointer<CChar>?
    let number = bytes.withUnsafeBufferPointer { start -> Double? in
      let number = strtod(start.baseAddress!, &end)
      return end.map { UnsafePointer($0) != start.baseAddress } == true && number.isFinite ? number : nil
    }
    if number == nil { errno = EINVAL }
    return number
  }
}
