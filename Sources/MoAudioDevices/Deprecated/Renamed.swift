import MoAudioEngine
import MoCore

extension MoAudio {
  /// The earlier name of `onEvent`.
  @available(*, deprecated, renamed: "onEvent(_:)")
  @discardableResult
  public static func addEventCallback(_ callback: @escaping @Sendable (AudioEvent) -> Void) -> MoToken {
    onEvent(callback)
  }
}
