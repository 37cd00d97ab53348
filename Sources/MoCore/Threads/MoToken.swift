/// A handle from `addCallback` that removes the callback.
///
/// To drop the token changes nothing: the callback stays until `cancel()`.
public final class MoToken: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  /// Stops the calls.
  ///
  /// It returns when no call is running. Inside the callback itself it returns immediately, and that call is the last.
  ///
  /// - Thread: any but the audio thread's callback, since it may wait for a running call.
  public func cancel() { action() }
}
