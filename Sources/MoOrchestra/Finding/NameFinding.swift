import MoMu
import MoSessionCore

/// The thread `mo-names`: looks up the names of machines that members were said to be on.
///
/// A thread of its own, since a name may take half a minute. A name is looked up again and again: its machine may come
/// later, or move.
///
/// - Thread: any.
final class NameFinding: @unchecked Sendable {
  // Unchecked: `isStopped` is guarded by `lock`.
  private let lock = MoMutex()
  private var isStopped = false
  private let wake = WakeEvent()

  /// How long a name is believed: while a member is there, and while none is.
  private static let pause = (found: Duration.seconds(60), missing: Duration.seconds(10))

  /// Begins.
  ///
  /// - Parameter known: the addresses that were typed as such.
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
              "no machine called \(name) is known here: it is looked up again every 10 s; if that does not help, type "
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

  /// Ends; a name that is being looked up is not waited for.
  func stop() {
    lock.withLock { isStopped = true }
    wake.raise()
  }

  private var isOver: Bool { lock.withLock { isStopped } }
}
