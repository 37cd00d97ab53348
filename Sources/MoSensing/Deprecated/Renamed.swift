import MoCore

extension MoTouch {
  /// The earlier name of `onEvent`.
  @available(*, deprecated, renamed: "onEvent(_:)")
  @discardableResult
  public static func addEventCallback(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    onEvent(callback)
  }
}

extension MoSensor {
  /// The earlier form of `addCallback`, without the time.
  @available(*, deprecated, message: "take the time, too: addCallback { value, time in … }")
  @_disfavoredOverload
  @discardableResult
  public func addCallback(_ callback: @escaping @Sendable (Float) -> Void) -> MoToken {
    addCallback { value, _ in callback(value) }
  }

  /// The earlier name of `onEvent`.
  @available(*, deprecated, renamed: "onEvent(_:)")
  @discardableResult
  public func addEventCallback(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    onEvent(callback)
  }
}

extension SensorFace {
  /// The earlier name of `onEvent`.
  @available(*, deprecated, renamed: "onEvent(_:)")
  @discardableResult
  public static func addEventCallback(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    onEvent(callback)
  }
}

extension MoAccel {
  /// The earlier form of `onStrike`, without the time.
  @available(*, deprecated, renamed: "onStrike(_:)")
  @discardableResult
  public static func onJerk(_ callback: @escaping @Sendable (Float) -> Void) throws -> MoToken {
    try onStrike { force, _ in callback(force) }
  }

  /// The earlier name of `onEvent`.
  @available(*, deprecated, renamed: "onEvent(_:)")
  @discardableResult
  public static func addEventCallback(_ callback: @escaping @Sendable (AccelEvent) -> Void) -> MoToken {
    onEvent(callback)
  }
}
