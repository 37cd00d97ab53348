import MoMu
import MoSessionCore

/// The thread `mo-names`: looks up the host names that were given for members.
///
/// It is a thread of its own, since a lookup may take half a minute. It repeats each lookup, since the machine may
/// start later, or get another address.
///
/// - Thread: any.
final class NameFinding: @unchecked Sendable {
  // Unchecked: `isStopped` is guarded by `lock`.
  private let lock = MoMutex()
  private var isStopped = false
  private let wake = WakeEvent()

  /// The pause between two lookups of all names: while a member is found at their addresses, and while none is found.
  private static let pause = (found: Duration.seconds(60), missing: Duration.seconds(10))

  /// Starts the thread.
  ///
  /// - Parameter known: the addresses that were typed as numbers.
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

  /// Ends; does not wait for a lookup in progress.
  func stop() {
    lock.withLock { isStopped = true }
    wake.raise()
  }

  private var isOver: Bool { lock.withLock { isStopped } }
}
