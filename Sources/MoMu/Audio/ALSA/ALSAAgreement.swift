import CALSA

/// What a card and the program have agreed on.
struct ALSAAgreement {
  var sampleRate = 0.0
  var channels = 0
  var periodFrames = 0
  var bufferFrames = 0
  var sampleFormat = SampleFormat.float
  var hasRawStamps = false

  /// Best first: what needs no conversion, then what loses least.
  private static let preference: [(SampleFormat, snd_pcm_format_t)] = [
    (.float, SND_PCM_FORMAT_FLOAT), (.s32, SND_PCM_FORMAT_S32), (.s24, SND_PCM_FORMAT_S24),
    (.s24Packed, SND_PCM_FORMAT_S24_3LE), (.s16, SND_PCM_FORMAT_S16),
  ]

  /// Some cards misbehave below this, however short the period (snd-aloop's clock ticks every 4 ms).
  private static let smallestBuffer = 512

  /// - Throws: `AudioError` that says what the card can do instead.
  init(
    _ pcm: OpaquePointer, name: String, isCapture: Bool, rate: Double, channels: Int, blockFrames: Int
  ) throws(AudioError) {
    try agreeOnHardware(pcm, name, isCapture, rate, channels, blockFrames)
    try agreeOnSoftware(pcm, name)
  }

  private mutating func agreeOnHardware(
    _ pcm: OpaquePointer, _ name: String, _ isCapture: Bool, _ rate: Double, _ wanted: Int, _ blockFrames: Int
  ) throws(AudioError) {
    var made: OpaquePointer?
    snd_pcm_hw_params_malloc(&made)
    guard let hardware = made else { throw .device(name: name, reason: "out of memory") }
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(pcm, hardware), name)
    try check(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), name)
    guard
      let format = Self.preference.first(where: { snd_pcm_hw_params_test_format(pcm, hardware, $0.1) == 0 })
    else {
      throw .device(name: name, reason: "it has no sample format of 16, 24 or 32 bits: try plug\(name)")
    }
    try check(snd_pcm_hw_params_set_format(pcm, hardware, format.1), name)
    sampleFormat = format.0
    var channels = UInt32(wanted)
    try check(snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels), name)
    self.channels = Int(channels)
    var granted = UInt32(rate.rounded())
    var direction: Int32 = 0
    try check(snd_pcm_hw_params_set_rate_near(pcm, hardware, &granted, &direction), name)
    guard abs(Double(granted) - rate) < 1 else {
      throw Self.impossibleRate(pcm, hardware, name, isCapture, rate)
    }
    var period = snd_pcm_uframes_t(blockFrames)
    direction = 0
    try check(snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, &direction), name)
    var buffer = max(4 * period, snd_pcm_uframes_t(Self.smallestBuffer))
    try check(snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer), name)
    try check(snd_pcm_hw_params(pcm, hardware), name)
    sampleRate = Double(granted)
    periodFrames = Int(period)
    bufferFrames = Int(buffer)
  }

  private mutating func agreeOnSoftware(_ pcm: OpaquePointer, _ name: String) throws(AudioError) {
    var made: OpaquePointer?
    snd_pcm_sw_params_malloc(&made)
    guard let software = made else { throw .device(name: name, reason: "out of memory") }
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(pcm, software), name)
    var boundary: snd_pcm_uframes_t = 0
    snd_pcm_sw_params_get_boundary(software, &boundary)
    // Started by hand once the first silence is in; stopped, as an xrun, when it has run dry.
    try check(snd_pcm_sw_params_set_start_threshold(pcm, software, boundary), name)
    try check(
      snd_pcm_sw_params_set_stop_threshold(pcm, software, snd_pcm_uframes_t(bufferFrames)), name)
    try check(snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(periodFrames)), name)
    snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    hasRawStamps =
      snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW) == 0
    if snd_pcm_sw_params(pcm, software) != 0 {
      hasRawStamps = false
      snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
      try check(snd_pcm_sw_params(pcm, software), name)
    }
  }

  private static func impossibleRate(
    _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ name: String, _ isCapture: Bool, _ rate: Double
  ) -> AudioError {
    snd_pcm_hw_params_any(pcm, hardware)
    var lowest: UInt32 = 0
    var highest: UInt32 = 0
    var direction: Int32 = 0
    snd_pcm_hw_params_get_rate_min(hardware, &lowest, &direction)
    snd_pcm_hw_params_get_rate_max(hardware, &highest, &direction)
    return .impossibleRate(
      name: name, isCapture: isCapture, rate: Int(rate), lowest: Int(lowest), highest: Int(highest))
  }

  private func check(_ result: Int32, _ name: String) throws(AudioError) {
    if result < 0 { throw ALSAError.error(result, name) }
  }
}
