import MoAudioEngine

/// The requested format of a device, and whether its rate and block length are fixed.
struct DeviceRequest: Equatable, Sendable {
  var format: AudioFormat
  /// Whether no other rate is accepted: the user requested this one, or the program already runs at it.
  var isRateFixed = false
  /// Whether the user requested this block length, so that a server's own period does not matter.
  var isBlockFixed = false
}
