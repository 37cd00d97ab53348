import MoAudioEngine
import MoCore

/// Opens devices with a timeout, since a sound server that hangs would otherwise block the caller forever.
package enum ALSAOpening {
  /// The PCMs, as `playback/capture`, whose opening exceeded the timeout and still blocks its thread; `open` does not
  /// try these PCMs again.
  private static let stuck = Locked<Set<String>>([])

  /// Opens a device on a separate thread.
  ///
  /// - Parameters:
  ///   - rateIsFixed: whether to fail if the device cannot run at the wanted rate; otherwise the device's nearest rate
  ///     is used.
  ///   - timeout: how long to wait; finding the settings of a USB card takes tenths of a second.
  /// - Throws: `AudioError`; the error is `.noAnswer` after the timeout, or if an earlier opening of the same PCMs still
  ///   blocks.
  package static func open(
    _ name: String, playback: String?, capture: String?, wanted: AudioFormat,
    rateIsFixed: Bool = true, timeout: Duration = .seconds(5)
  ) throws(AudioError) -> ALSADevice {
    // A stuck thread stays stuck: do not add another at every attempt. The output alone may still open.
    let pcms = "\(playback ?? "-")/\(capture ?? "-")"
    guard !stuck.withLock({ $0.contains(pcms) }) else { throw .noAnswer(name: name) }
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
        _ = stuck.withLock { $0.remove(pcms) }
      }
    } catch {
      return try ALSADevice(
        name: name, playback: playback, capture: capture, wanted: wanted, rateIsFixed: rateIsFixed)
    }
    place.signal.wait(for: timeout)
    switch place.collect() {
    case .opened(let device): return device
    case .failed(let error): throw error
    case nil:
      _ = stuck.withLock { $0.insert(pcms) }
      // It may have returned between the two lines.
      if place.hasArrived { _ = stuck.withLock { $0.remove(pcms) } }
      throw .noAnswer(name: name)
    }
  }

  private enum Outcome: Sendable {
    case opened(ALSADevice)
    case failed(AudioError)
  }

  /// The outcome of an opening, which passes from the opening thread to the caller.
  ///
  /// If the device is opened only after the timeout, `arrive` closes the device.
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
