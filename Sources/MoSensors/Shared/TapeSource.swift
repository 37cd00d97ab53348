import MoOSC
import MoProgram
import MoTime

/// Plays one sensor's readings of a tape, at their times; at the end what is true at rest is repeated until all
/// movement has died away.
///
/// Other messages on the tape are passed over.
package final class TapeSource<Reading: SensorReading>: InputSource {
  package let name: String
  package let descriptor: Int32? = nil
  package let isFinite = true
  private let tape: OSCTapeReader
  private let start: HostTime
  private let deliver: @Sendable (Reading) -> Void
  private var waiting: Reading?
  private var held = HeldReading<Reading>()

  /// A table's row for tapes.
  package static var row: SensorRow<Reading> {
    SensorRow(
      "tape", forms: ["tape:FILE"], worksOffline: true,
      devices: { [NamedDevice(name: "tape:FILE", about: "a recorded tape", isReal: false)] },
      open: { path, opening in
        guard let path, !path.isEmpty else { return nil }
        return OpenSource(
          try TapeSource(
            path: path, noun: opening.noun, start: opening.run.clock.now, deliver: opening.deliver))
      })
  }

  /// - Parameters:
  ///   - noun: what made the readings, such as `an accelerometer`.
  ///   - start: when the tape's time 0 is.
  /// - Throws: `SensorError.tape`, also where there is no reading on the tape at all.
  init(
    path: String, noun: String, start: HostTime, deliver: @escaping @Sendable (Reading) -> Void
  ) throws(SensorError) {
    name = "tape:\(path)"
    self.start = start
    self.deliver = deliver
    do throws(OSCTapeError) {
      tape = try OSCTapeReader(path: path)
    } catch {
      throw .tape(error.description)
    }
    waiting = try next()
    if waiting == nil {
      throw .tape("\(path) has no readings of \(noun) (\(Reading.address)): record another tape")
    }
  }

  package var nextTime: HostTime? { waiting?.time ?? held.nextTime }

  package func service(until now: HostTime) throws {
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
  private func next() throws(SensorError) -> Reading? {
    do throws(OSCTapeError) {
      while let entry = try tape.next() {
        guard entry.message.address == Reading.address else { continue }
        let time = start.advanced(byNanoseconds: entry.nanoseconds)
        if let reading = Reading(time: time, arguments: entry.message.arguments) { return reading }
      }
    } catch {
      throw .tape(error.description)
    }
    if let warning = tape.warning { MoLog.log(.warning, warning) }
    return nil
  }
}
