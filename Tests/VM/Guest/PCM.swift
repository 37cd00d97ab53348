import CALSA

/// One direction of a sound card straight over ALSA, with nothing of MoMu in between: what MoAudio plays
/// and hears is compared with what this hears and plays.
final class PCM<Sample: FixedWidthInteger> {
  let channels: Int
  let period: Int
  let bufferFrames: Int
  private(set) var xruns = 0
  private let handle: OpaquePointer

  /// Opens `device` for exactly this format.
  ///
  /// The loopback needs at least 4 periods and 512 frames.
  init(
    _ device: String, _ stream: snd_pcm_stream_t, _ format: snd_pcm_format_t, channels: Int = 2,
    rate: UInt32 = 48_000, period: Int = 256, periods: Int = 4
  ) throws {
    var opened: OpaquePointer?
    try PCM.demand("open \(device)", snd_pcm_open(&opened, device, stream, 0))
    guard let handle = opened else { throw Failure("open \(device): no handle") }
    self.handle = handle
    self.channels = channels
    self.period = period
    self.bufferFrames = period * periods

    var hardware: OpaquePointer?
    snd_pcm_hw_params_malloc(&hardware)
    defer { snd_pcm_hw_params_free(hardware) }
    try PCM.demand("any", snd_pcm_hw_params_any(handle, hardware))
    try PCM.demand("access", snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    try PCM.demand("format", snd_pcm_hw_params_set_format(handle, hardware, format))
    try PCM.demand("channels", snd_pcm_hw_params_set_channels(handle, hardware, UInt32(channels)))
    try PCM.demand("rate", snd_pcm_hw_params_set_rate(handle, hardware, rate, 0))
    try PCM.demand(
      "period", snd_pcm_hw_params_set_period_size(handle, hardware, snd_pcm_uframes_t(period), 0))
    try PCM.demand(
      "buffer", snd_pcm_hw_params_set_buffer_size(handle, hardware, snd_pcm_uframes_t(period * periods)))
    try PCM.demand("parameters", snd_pcm_hw_params(handle, hardware))

    // By default a playback starts with its first frame, and then runs dry at once.
    var software: OpaquePointer?
    snd_pcm_sw_params_malloc(&software)
    defer { snd_pcm_sw_params_free(software) }
    try PCM.demand("current", snd_pcm_sw_params_current(handle, software))
    try PCM.demand(
      "start", snd_pcm_sw_params_set_start_threshold(handle, software, snd_pcm_uframes_t(bufferFrames)))
    try PCM.demand("parameters", snd_pcm_sw_params(handle, software))
  }

  deinit { snd_pcm_close(handle) }

  /// Starts a capture; a playback starts by itself when its buffer is full.
  func start() throws { try PCM.demand("start", snd_pcm_start(handle)) }

  /// Plays interleaved frames, waiting for room.
  ///
  /// An xrun is counted and the rest is played.
  func play(_ samples: ArraySlice<Sample>) throws {
    var rest = samples
    while !rest.isEmpty {
      let done = rest.withUnsafeBufferPointer {
        snd_pcm_writei(handle, $0.baseAddress, snd_pcm_uframes_t($0.count / channels))
      }
      if done < 0 { try recover("play", Int32(done)) } else { rest = rest.dropFirst(done * channels) }
    }
  }

  /// Hears that many frames, waiting for them.
  func hear(_ frames: Int) throws -> [Sample] {
    var heard = [Sample](repeating: 0, count: frames * channels)
    var at = 0
    while at < frames {
      let done = heard.withUnsafeMutableBufferPointer {
        snd_pcm_readi(handle, $0.baseAddress! + at * channels, snd_pcm_uframes_t(frames - at))
      }
      if done < 0 { try recover("hear", Int32(done)) } else { at += done }
    }
    return heard
  }

  /// Waits until what was played is out; the loopback may swallow the last period.
  func drain() { snd_pcm_drain(handle) }

  private func recover(_ call: String, _ status: Int32) throws {
    guard status == -EPIPE else { throw Failure(call: call, errno: -status) }
    xruns += 1
    try PCM.demand("recover", snd_pcm_prepare(handle))
  }

  private static func demand(_ call: String, _ status: Int32) throws {
    if status < 0 { throw Failure(call: call, errno: -status) }
  }
}
