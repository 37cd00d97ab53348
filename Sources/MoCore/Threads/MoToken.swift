/// The result of a call such as `addCallback`; its `cancel()` removes the callback.
///
/// If you drop the token, nothing changes: the callback stays until `cancel()`.
public final class MoToken: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  /// Stops the calls of the callback.
  ///
  /// `cancel()` returns when no call of the callback is running. Inside the callback itself, `cancel()` returns
  /// immediately, and the running call is the last.
  ///
  /// - Thread: any but the audio thread's callback, since it may wait for a running call.
  public func cancel() { action() }
}
