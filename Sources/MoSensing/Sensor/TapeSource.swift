import Glibc
import MoCore
import MoOSC
import MoRuntime

/// A source that plays a sensor's readings from a tape, at their times.
///
/// After the last reading, the source repeats the resting value (`SensorReading.atRest`) for 1.5 s. After this time,
/// all values that follow from the readings, such as the activity, are at rest, too.
///
/// Other messages on the tape are skipped. `tape:FILE?speed=2` plays twice as fast. `?loop` begins again at the end of
/// the whole tape, so that all its sensors stay together. `?speed=2&loop` does both.
package final class TapeSource<Reading: SensorReading>: EventTimer {
  package let name: String
  package var isFinite: Bool { !playing.loops }
  private let tape: OSCTapeReader
  private let playing: TapePlaying
  /// The moment of the tape's time 0; each repetition of a looped tape sets a later moment.
  private var start: HostTime
  /// The playing time, in nanoseconds after `start`, of the message that was read last, which may be a reading of
  /// another sensor.
  private var length: Int64 = 0
  /// Whether the tape has given no reading of this sensor so far.
  private var isEmpty = true
  /// The command or option that records a tape, such as `--record-tape`, for error texts.
  private let recorder: String
  private let deliver: @Sendable (Reading) -> Void
  private var waiting: Reading?
  private var held = RestRepeater<Reading>()

  /// The least playing time, in nanoseconds, of a tape that is looped; a shorter tape is played once.
  private static var shortestLoop: Int64 { 1_000_000 }

  /// The row for tapes in a sensor's table of sources.
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
            // The tool's verbs, which wait for devices, have no such option.
            recorder: opening.run.waitsForDevices ? "momu osc record" : "--record-tape",
            deliver: opening.deliver))
      })
  }

  /// - Parameters:
  ///   - noun: the sensor that made the readings, such as `an accelerometer`.
  ///   - start: the moment of the tape's time 0.
  ///   - recorder: the command or option that records a tape, such as `--record-tape`, for error texts.
  /// - Throws: `SensorError.tape`, also if the tape has no reading of this sensor.
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
    // Once around at most: a tape that is shorter than the time to read it must not block the other inputs.
    let round = start
    while let reading = waiting, reading.time <= now {
      deliver(reading)
      held.hold(reading)
      waiting = nil
      waiting = try next()
      if start != round { return }
    }
    guard waiting == nil else { return }
    while let reading = held.next(until: now) { deliver(reading) }
  }

  /// Returns the next reading on the tape, or nil at its end.
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
        // A tape with a single moment would repeat for ever within it.
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

/// The file and settings of a tape to play: `FILE`, optionally with `?speed=2`, `?loop` or `?speed=2&loop`.
package struct TapePlaying: Equatable, Sendable {
  package var path: String
  /// The speed, 0.001 … 1,000,000: 1 is the original speed, and 2 plays the tape in half of the time.
  package var speed = 1.0
  package var loops = false

  /// - Throws: `SensorError.tape` for a setting other than `loop` and `speed=NUMBER`, or for a speed out of range.
  package init(_ text: String) throws(SensorError) {
    path = text
    // The name of a file may contain a `?`.
    guard let mark = text.lastIndex(of: "?"), access(text, F_OK) != 0 else { return }
    path = String(text[..<mark])
    for wish in text[text.index(after: mark)...].split(separator: "&") {
      if wish == "loop" {
        loops = true
      } else if wish.hasPrefix("speed="), let number = TapePlaying.speed(String(wish.dropFirst(6))) {
        speed = number
      } else {
        throw .tape("unknown setting \"\(wish)\" for a tape: write tape:FILE?speed=2, ?loop or ?speed=2&loop")
      }
    }
  }

  /// Converts a time on the tape to the time at which it is played, both in nanoseconds after the tape's start.
  ///
  /// The result is exact at the original speed.
  package func nanoseconds(_ recorded: Int64) -> Int64 {
    if speed == 1 { return recorded }
    // A tape may span a century, which, slowed down, is more than a clock can count.
    return Int64(min((Double(recorded) / speed).rounded(), 4e18))
  }

  private static func speed(_ text: String) -> Double? {
    var end: UnsafeMutablePointer<CChar>?
    let number = text.withCString { start -> Double? in
      let number = strtod(start, &end)
      return end.map { $0.pointee == 0 && UnsafePointer($0) != start } == true ? number : nil
    }
    return number.flatMap { (1e-3...1e6).contains($0) ? $0 : nil }
  }
}
