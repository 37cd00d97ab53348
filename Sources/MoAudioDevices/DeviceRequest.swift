import MoAudioEngine

/// The requested format of a device, and whether its rate and block length are fixed.
struct DeviceRequest: Equatable, Sendable {
  var format: AudioFormat
  /// Whether only the sample rate in `format` is acceptable: the user requested it, or the program already runs at it.
  var isRateFixed = false
  /// Whether the user requested the block length in `format`; if false, a JACK server's period replaces it.
  var isBlockFixed = false
}
