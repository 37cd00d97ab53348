import CALSA

/// One direction of a sound card, directly over ALSA.
///
/// It uses no MoMu: the samples of MoAudio are compared with those that this plays and records.
final class PCM {
  let format: SampleFormat
  let channels: Int
  let period: Int
  let bufferFrames: Int
  private(set) var xruns = 0
  private let handle: OpaquePointer
  private let staging: UnsafeMutableRawBufferPointer

  /// Opens `device` with exactly this format.
  ///
  /// The loopback needs at least 4 periods and 512 frames.
  init(
    _ device: String, _ stream: snd_pcm_stream_t, _ format: SampleFormat, channels: Int = 2,
    rate: UInt32 = 48_000, period: Int = 256, periods: Int = 4
  ) throws {
    var opened: OpaquePointer?
    try PCM.demand("open \(device)", snd_pcm_open(&opened, device, stream, 0))
    guard let handle = opened else { throw Failure("open \(device): no handle") }
    self.handle = handle
    self.format = format
    self.channels = channels
    self.period = period
    bufferFrames = period * periods
    staging = .allocate(byteCount: bufferFrames * channels * format.width, alignment: 16)

    var hardware: OpaquePointer?
    snd_pcm_hw_params_malloc(&hardware)
    defer { snd_pcm_hw_params_free(hardware) }
    let frames = snd_pcm_uframes_t(period)
    let buffer = snd_pcm_uframes_t(bufferFrames)
    try PCM.demand("any", snd_pcm_hw_params_any(handle, hardware))
    try PCM.demand("access", snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    try PCM.demand("format", snd_pcm_hw_params_set_format(handle, hardware, format.alsa))
    try PCM.demand("channels", snd_pcm_hw_params_set_channels(handle, hardware, UInt32(channels)))
    try PCM.demand("rate", snd_pcm_hw_params_set_rate(handle, hardware, rate, 0))
    try PCM.demand("period", snd_pcm_hw_params_set_period_size(handle, hardware, frames, 0))
    try PCM.demand("buffer", snd_pcm_hw_params_set_buffer_size(handle, hardware, buffer))
    try PCM.demand("parameters", snd_pcm_hw_params(handle, hardware))

    // By default a playback starts with its first frame, and then has an underrun immediately.
    var software: OpaquePointer?
    snd_pcm_sw_params_malloc(&software)
    defer { snd_pcm_sw_params_free(software) }
    try PCM.demand("current", snd_pcm_sw_params_current(handle, software))
    try PCM.demand("threshold", snd_pcm_sw_params_set_start_threshold(handle, software, buffer))
    try PCM.demand("parameters", snd_pcm_sw_params(handle, software))
  }

  deinit {
    snd_pcm_close(handle)
    staging.deallocate()
  }

  /// Starts a capture; a playback starts by itself when its buffer is full.
  func start() throws { try PCM.demand("start", snd_pcm_start(handle)) }

  /// Plays interleaved samples, at most a buffer of them; blocks until there is room.
  ///
  /// An xrun is counted, and the rest is played.
  func play(_ samples: ArraySlice<Int32>) throws {
    format.store(samples, to: staging.baseAddress!)
    try transfer("play", samples.count / channels) { snd_pcm_writei(handle, $0, $1) }
  }

  /// Records the given number of frames, at most a buffer of them; blocks until they are there.
  func hear(_ frames: Int) throws -> [Int32] {
    try transfer("hear", frames) { snd_pcm_readi(handle, $0, $1) }
    return format.load(frames * channels, from: staging.baseAddress!)
  }

  private func transfer(
    _ call: String, _ frames: Int,
    _ body: (UnsafeMutableRawPointer, snd_pcm_uframes_t) -> snd_pcm_sframes_t
  ) throws {
    var done = 0
    while done < frames {
      let at = staging.baseAddress! + done * channels * format.width
      let status = body(at, snd_pcm_uframes_t(frames - done))
      if status >= 0 {
        done += status
      } else if status == -Int(EPIPE) {
        xruns += 1
        try PCM.demand("recover", snd_pcm_prepare(handle))
      } else {
        throw Failure(call: call, errno: -Int32(status))
      }
    }
  }

  private static func demand(_ call: String, _ status: Int32) throws {
    if status < 0 { throw Failure(call: call, errno: -status) }
  }
}
