import MoAudioEngine
import MoCore

/// Opens devices with a timeout, since a sound server that hangs would otherwise block the caller forever.
enum DeviceOpening {
  /// The keys of the openings that exceeded the timeout and still block their threads; `run` starts no other with
  /// these keys.
  private static let stuck = Locked<Set<String>>([])

  /// Runs the opening of a device on a separate thread.
  ///
  /// - Parameters:
  ///   - name: the device's name, for the error.
  ///   - key: a text that is the same for all openings that would block for the same reason.
  ///   - timeout: how long to wait.
  ///   - discard: releases the result of an opening that returns after the timeout, on the opening's thread.
  ///   - open: opens the device.
  /// - Throws: `AudioError` of `open`; the error is `.noAnswer` after the timeout, or if an earlier opening with the
  ///   same key still blocks.
  static func run<Opened: Sendable>(
    _ name: String, key: String, timeout: Duration,
    discard: @escaping @Sendable (Opened) -> Void,
    with open: @escaping @Sendable () throws(AudioError) -> Opened
  ) throws(AudioError) -> Opened {
    // A stuck thread stays stuck: do not add another at every attempt.
    guard !stuck.withLock({ $0.contains(key) }) else { throw .noAnswer(name: name) }
    let place = Place<Opened>()
    do {
      _ = try MoThread(name: "mo-open") { _ in
        let outcome = Result<Opened, AudioError>(catching: open)
        let isAbandoned = place.arrive(outcome)
        _ = stuck.withLock { $0.remove(key) }
        if isAbandoned, case .success(let opened) = outcome { discard(opened) }
      }
    } catch {
      return try open()
    }
    place.signal.wait(for: timeout)
    if let outcome = place.collect() { return try outcome.get() }
    _ = stuck.withLock { $0.insert(key) }
    // It may have returned between the two lines.
    if place.hasArrived { _ = stuck.withLock { $0.remove(key) } }
    throw .noAnswer(name: name)
  }

  /// The outcome of an opening, which passes from the opening thread to the caller.
  private final class Place<Opened: Sendable>: Sendable {
    private struct Content {
      var outcome: Result<Opened, AudioError>?
      var isAbandoned = false
      var hasArrived = false
    }

    let signal = WakeEvent()
    private let content = Locked(Content())

    var hasArrived: Bool { content.withLock { $0.hasArrived } }

    /// Stores the outcome; returns whether the caller no longer waits for it.
    func arrive(_ outcome: Result<Opened, AudioError>) -> Bool {
      defer { signal.raise() }
      return content.withLock { content in
        content.hasArrived = true
        if !content.isAbandoned { content.outcome = outcome }
        return content.isAbandoned
      }
    }

    func collect() -> Result<Opened, AudioError>? {
      content.withLock { content in
        content.isAbandoned = content.outcome == nil
        return content.outcome
      }
    }
  }
}
