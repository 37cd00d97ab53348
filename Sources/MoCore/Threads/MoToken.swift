/// What `addCallback` returns: the way to take the callback back.
///
/// Letting go of a token changes nothing: the callback stays until `cancel()`.
public final class MoToken: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  /// Stops the calls.
  ///
  /// Returns when no call is running, or at once inside the callback itself, whose call is then the last.
  ///
  /// - Thread: any but the audio thread's callback: it may wait for a running call.
  public func cancel() { action() }
}
