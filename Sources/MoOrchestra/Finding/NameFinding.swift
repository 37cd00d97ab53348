import MoMu
import MoSessionCore

/// The thread `mo-names`, which looks up the host names that the user typed to find members.
///
/// The lookups have their own thread, since a lookup may take half a minute. The thread repeats all lookups, since a
/// machine may start later, or get another address.
///
/// - Thread: any.
final class NameFinding: @unchecked Sendable {
  // Unchecked: `isStopped` is guarded by `lock`.
  private let lock = MoMutex()
  private var isStopped = false
  private let wake = WakeEvent()

  /// The pause after all names were looked up: 60 s if a member is at a typed or found address, otherwise 10 s.
  private static let pause = (found: Duration.seconds(60), missing: Duration.seconds(10))

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - names: the host names to look up, with their ports.
  ///   - known: the addresses that the user typed as numbers, which need no lookup.
  ///   - server: the session that searches for members at all these addresses.
  init(_ names: [(name: String, port: UInt16)], beside known: [SessionEndpoint], server: SessionServer)
    throws(MoThread.Failure)
  {
    _ = try MoThread(name: "mo-names", stackBytes: 256 * 1024) { [self] _ in
      var unknown: Set<String> = []
      while !isOver {
        var places = known
        for (name, port) in names where !isOver {
          let found = PeerPlace.lookUp(name, port: port)
          if found.isEmpty, unknown.insert(name).inserted, !isOver {
            MoLog.log(
              .notice,
              "no machine with the name \(name) was found: MoMu looks again every 10 s; if that does not help, type "
                + "its address")
          }
          places += found
        }
        guard !isOver else { return }
        let isFound = server.perform { core, _ in core.setTyped(places) } ?? true
        _ = wake.wait(for: isFound ? Self.pause.found : Self.pause.missing)
      }
    }
  }

  /// Ends the thread, without waiting for a lookup in progress.
  func stop() {
    lock.withLock { isStopped = true }
    wake.raise()
  }

  private var isOver: Bool { lock.withLock { isStopped } }
}
