import MoMu
import Synchronization

/// Hears what is told through `MoLog` for as long as it lives, whoever tells it.
///
/// Several may listen at once: tests that each put a handler of their own in the place of another's would take it away
/// from each other.
package final class LogCapture: Sendable {
  private final class Heard: Sendable {
    let texts = Mutex<[String]>([])
  }

  private static let all = Mutex<[Heard]>([])

  /// The handler that tells all of them, put in its place once and before what was there.
  private static let handler: Void = {
    let usual = MoLog.handler
    MoLog.handler = { level, text in
      for heard in all.withLock({ $0 }) { heard.texts.withLock { $0.append(text) } }
      usual(level, text)
    }
  }()

  private let heard = Heard()

  /// Begins to listen.
  package init() {
    Self.handler
    Self.all.withLock { $0.append(heard) }
  }

  deinit { Self.all.withLock { all in all.removeAll { $0 === heard } } }

  /// What was told until now, in its order.
  package var texts: [String] { heard.texts.withLock { $0 } }
}
