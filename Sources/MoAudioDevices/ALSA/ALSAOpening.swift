import MoAudioEngine
import MoCore

/// Opens devices with bounded patience: a sound server that is there and does not answer never lets go of whoever
/// asks it.
enum ALSAOpening {
  /// Names whose opening has not come back.
  private static let stuck = Locked<Set<String>>([])

  /// Opens a device on a thread of its own.
  ///
  /// - Parameters:
  ///   - rateIsFixed: whether the device's own rate will not do where it cannot run at the wanted one.
  ///   - patience: how long it may take; finding a USB card's settings takes tenths of a second.
  /// - Throws: `AudioError`, `.noAnswer` where the patience was not enough.
  static func open(
    _ name: String, playback: String?, capture: String?, wanted: AudioFormat,
    rateIsFixed: Bool = true, patience: Duration = .seconds(5)
  ) throws(AudioError) -> ALSADevice {
    // A thread that is stuck stays stuck: not one more at every try.
    guard !stuck.withLock({ $0.contains(name) }) else { throw .noAnswer(name: name) }
    let place = Place()
    do {
      _ = try MoThread(name: "mo-open") { _ in
        let outcome: Outcome
        do throws(AudioError) {
          outcome = .opened(
            try ALSADevice(
              name: name, playback: playback, capture: capture, wanted: wanted, rateIsFixed: rateIsFixed))
        } catch {
          outcome = .failed(error)
        }
        place.arrive(outcome)
        _ = stuck.withLock { $0.remove(name) }
      }
    } catch {
      return try ALSADevice(
        name: name, playback: playback, capture: capture, wanted: wanted, rateIsFixed: rateIsFixed)
    }
    place.signal.wait(for: patience)
    switch place.collect() {
    case .opened(let device): return device
    case .failed(let error): throw error
    case nil:
      _ = stuck.withLock { $0.insert(name) }
      // It may have come back between the two lines.
      if place.hasArrived { _ = stuck.withLock { $0.remove(name) } }
      throw .noAnswer(name: name)
    }
  }

  private enum Outcome: Sendable {
    case opened(ALSADevice)
    case failed(AudioError)
  }

  /// Where the outcome is left; one that nobody waits for any more is closed.
  private final class Place: Sendable {
    private struct Content {
      var outcome: Outcome?
      var isAbandoned = false
      var hasArrived = false
    }

    let signal = WakeEvent()
    private let content = Locked(Content())

    var hasArrived: Bool { content.withLock { $0.hasArrived } }

    func arrive(_ outcome: Outcome) {
      let isAbandoned = content.withLock { content in
        content.hasArrived = true
        if !content.isAbandoned { content.outcome = outcome }
        return content.isAbandoned
      }
      if isAbandoned, case .opened(let device) = outcome { device.close() }
      signal.raise()
    }

    func collect() -> Outcome? {
      content.withLock { content in
        content.isAbandoned = content.outcome == nil
        return content.outcome
      }
    }
  }
}
