import MoOSC
import MoProgram
import MoTime

/// Plays the accelerometer readings of a tape, at their times; at the end the last one stands, and is repeated
/// until all movement has died away.
///
/// Other messages on the tape are passed over.
final class TapeAccelerometer: InputSource {
  let name: String
  let descriptor: Int32? = nil
  let isFinite = true
  private let tape: OSCTapeReader
  private let start: HostTime
  private let deliver: AccelDelivery
  private let warn: @Sendable (String) -> Void
  private var waiting: AccelReading?
  private var held = HeldReading()

  /// The address of an accelerometer's readings on a tape: `,fff`, x y z in g.
  static let address = "/momu/accel"

  /// - Parameters:
  ///   - start: when the tape's time 0 is.
  ///   - warn: told what is wrong with a tape that plays none the less.
  /// - Throws: `AccelError.tape`, also where there is no reading on the tape at all.
  init(
    path: String, start: HostTime, deliver: @escaping AccelDelivery,
    warn: @escaping @Sendable (String) -> Void
  ) throws(AccelError) {
    name = "tape:\(path)"
    self.start = start
    self.deliver = deliver
    self.warn = warn
    do throws(OSCTapeError) {
      tape = try OSCTapeReader(path: path)
    } catch {
      throw .tape(error.description)
    }
    waiting = try next()
    if waiting == nil {
      throw .tape(
        "\(path) has no readings of an accelerometer (\(TapeAccelerometer.address)): record another tape")
    }
  }

  var nextTime: HostTime? { waiting?.time ?? held.nextTime }

  func service(until now: HostTime) throws {
    while let reading = waiting, reading.time <= now {
      deliver(reading)
      held.note(reading)
      waiting = nil
      waiting = try next()
    }
    guard waiting == nil else { return }
    while let reading = held.next(until: now) { deliver(reading) }
  }

  /// The next reading on the tape, or nil at its end.
  private func next() throws(AccelError) -> AccelReading? {
    do throws(OSCTapeError) {
      while let entry = try tape.next() {
        guard entry.message.address == TapeAccelerometer.address else { continue }
        let numbers = entry.message.arguments.compactMap(\.number)
        guard numbers.count == 3, entry.message.arguments.count == 3 else { continue }
        return AccelReading(
          time: start.advanced(byNanoseconds: entry.nanoseconds), x: Float(numbers[0]), y: Float(numbers[1]),
          z: Float(numbers[2]))
      }
    } catch {
      throw .tape(error.description)
    }
    if let warning = tape.warning { warn(warning) }
    return nil
  }
}
