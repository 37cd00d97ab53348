import MIDICore
import MoCore

/// The thread `mo-names`, which looks up the host name of `net:HOST:PORT` again while the session is not joined.
///
/// A machine may return with another address. The lookups have their own thread, since a lookup may take half a minute.
///
/// - Thread: any.
final class MIDINameLookup: Sendable {
  private struct State {
    var isJoined = false
    var isStopped = false
  }

  private let state = Locked(State())
  private let wake = WakeEvent()

  /// The pause between two lookups while the session is not joined.
  private static let pause = Duration.seconds(30)

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - resolve: looks up the name; nil if the name is unknown now.
  ///   - found: receives the address after each lookup, on the thread.
  init(
    resolve: @escaping @Sendable () -> MIDIEndpoint?, found: @escaping @Sendable (MIDIEndpoint) -> Void
  ) throws(MoThread.Failure) {
    _ = try MoThread(name: "mo-names", stackBytes: 256 * 1024) { [self] _ in
      while true {
        wake.wait(for: present.isJoined ? nil : Self.pause)
        if present.isStopped { return }
        guard !present.isJoined, let address = resolve(), !present.isStopped else { continue }
        found(address)
      }
    }
  }

  private var present: State { state.withLock { $0 } }

  /// Looks the name up immediately, unless the session is joined.
  func wakeThread() { wake.raise() }

  /// Stops the lookups while the session is joined; looks the name up as soon as the session is lost.
  func follow(isJoined: Bool) {
    state.withLock { $0.isJoined = isJoined }
    wake.raise()
  }

  /// Ends the thread, without waiting for a lookup in progress.
  func stop() {
    state.withLock { $0.isStopped = true }
    wake.raise()
  }
}
