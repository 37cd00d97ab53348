import MoMu
import Synchronization

/// A collector of all messages of `MoLog`, from any thread, while the collector exists.
///
/// Several captures can exist at the same time. If each test set its own handler instead, a test would replace the
/// handler of another test.
package final class LogCapture: Sendable {
  private final class Heard: Sendable {
    let texts = Mutex<[String]>([])
  }

  private static let all = Mutex<[Heard]>([])

  /// The handler that serves all instances; it is installed once, and also calls the previous handler.
  private static let handler: Void = {
    let usual = MoLog.handler
    MoLog.handler = { level, text in
      for heard in all.withLock({ $0 }) { heard.texts.withLock { $0.append(text) } }
      usual(level, text)
    }
  }()

  private let heard = Heard()

  /// Starts collecting.
  package init() {
    Self.handler
    Self.all.withLock { $0.append(heard) }
  }

  deinit { Self.all.withLock { all in all.removeAll { $0 === heard } } }

  /// The messages so far, in order.
  package var texts: [String] { heard.texts.withLock { $0 } }
}
