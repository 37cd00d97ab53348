import MoAudioEngine

/// How a device should run, and what of that it may not change.
struct DeviceRequest: Equatable, Sendable {
  var format: AudioFormat
  /// Whether another rate will not do: the user asked for this one, or the program runs at it already.
  var isRateFixed = false
  /// Whether the user asked for blocks of this length, so that a server's own period does not count.
  var isBlockFixed = false
}
