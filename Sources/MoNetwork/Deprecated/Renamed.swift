import MoCore

extension MoNet {
  /// The earlier name of `onEvent`.
  @available(*, deprecated, renamed: "onEvent(_:)")
  @discardableResult
  public static func addEventCallback(_ callback: @escaping @Sendable (NetEvent) -> Void) -> MoToken {
    onEvent(callback)
  }
}
