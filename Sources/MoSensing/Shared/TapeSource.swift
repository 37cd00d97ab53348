import MoCore
import MoOSC
import MoRuntime

/// Plays one sensor's readings of a tape, at their times; at the end what is true at rest is repeated until all
/// movement has died away.
///
/// Other messages on the tape are passed over. `tape:FILE?speed=2` is twice as fast, `?loop` begins again at the end of
/// the whole tape, so that all sensors of it stay together; `?speed=2&loop` is both.
package final class TapeSource<Reading: SensorReading>: EventSource {
  package let name: String
  package let descriptor: Int32? = nil
  package var isFinite: Bool { !playing.loops }
  private let tape: OSCTapeReader
  private let playing: TapePlaying
  /// When the tape's time 0 is; later with each time around.
  private var start: HostTime
  /// The time of what was read last, of whatever sensor, as it is played.
  private var length: Int64 = 0
  /// Whether no reading of this sensor was found yet.
  private var isEmpty = true
  /// What is typed before the name of a tape to record.
  private let recorder: String
  private let deliver: @Sendable (Reading) -> Void
  private var waiting: Reading?
  private var held = RestRepeater<Reading>()

  /// A tape that is played in less is not looped, in nanoseconds.
  private static var shortestLoop: Int64 { 1_000_000 }

  /// A table's row for tapes.
  package static var row: SensorRow<Reading> {
    SensorRow(
      "tape", forms: ["tape:FILE"], worksOffline: true,
      devices: { [NamedDevice(name: "tape:FILE", about: "a recorded tape", isReal: false)] },
      check: { detail throws(SensorError) in _ = try TapePlaying(detail) },
      open: { path, opening in
        guard let path, !path.isEmpty else { return nil }
        return OpenSource(
          try TapeSource(
            path: path, noun: opening.noun, start: opening.run.clock.now,
            // What waits for devices is a verb of the tool, which has no such option.
            recorder: opening.run.waitsForDevices ? "momu osc record" : "--record-tape",
            deliver: opening.deliver))
      })
  }

  /// - Parameters:
  ///   - noun: what made the readings, such as `an accelerometer`.
  ///   - start: when the tape's time 0 is.
  ///   - recorder: what is typed before the name of a tape to record.
  /// - Throws: `SensorError.tape`, also where there is no reading on the tape at all.
  init(
    path: String, noun: String, start: HostTime, recorder: String,
    deliver: @escaping @Sendable (Reading) -> Void
  ) throws(SensorError) {
    name = "tape:\(path)"
    playing = try TapePlaying(path)
    let path = playing.path
    self.start = start
    self.recorder = recorder
    self.deliver = deliver
    do throws(OSCTapeError) {
      tape = try OSCTapeReader(path: path)
    } catch {
      throw .tape(error.text(recordedBy: recorder))
    }
    waiting = try next()
    if waiting == nil {
      throw .tape("\(path) has no readings of \(noun) (\(Reading.address)): record another tape")
    }
  }

  package var nextTime: HostTime? { waiting?.time ?? held.nextTime }

  package func service(until now: HostTime) throws {
    // Once around at most: a tape that is over sooner than it is read must not keep others waiting.
    let round = start
    while let reading = waiting, reading.time <= now {
      deliver(reading)
      held.note(reading)
      waiting = nil
      waiting = try next()
      if start != round { return }
    }
    guard waiting == nil else { return }
    while let reading = held.next(until: now) { deliver(reading) }
  }

  /// The next reading on the tape, or nil at its end.
  private func next() throws(SensorError) -> Reading? {
    do throws(OSCTapeError) {
      while true {
        while let entry = try tape.next() {
          length = playing.nanoseconds(entry.nanoseconds)
          guard entry.message.address == Reading.address else { continue }
          let time = start.advanced(byNanoseconds: length)
          guard let reading = Reading(time: time, arguments: entry.message.arguments) else { continue }
          isEmpty = false
          return reading
        }
        // A tape of a single moment would go round and round within it.
        guard playing.loops, length >= Self.shortestLoop, !isEmpty else { break }
        start = start.advanced(byNanoseconds: length)
        try tape.rewind()
      }
    } catch {
      throw .tape(error.text(recordedBy: recorder))
    }
    if let warning = tape.warning { MoLog.log(.warning, warning) }
    return nil
  }
}
