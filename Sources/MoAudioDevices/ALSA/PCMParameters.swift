import CALSA
import Glibc
import MoAudioEngine
import MoCore

/// The requested settings of one direction of a card: playback or capture.
struct PCMRequest {
  var isCapture: Bool
  /// The requested rate, in frames per second.
  var rate: Double
  /// The number of channels that the program uses in this direction.
  var channels: Int
  /// The requested number of frames per block; the card may choose another number.
  var blockFrames: Int
  /// Whether to refuse any rate other than `rate`; if false, the device's rate nearest to `rate` is used.
  var isRateFixed = true
  /// Whether the stream is the input of a device that also plays.
  ///
  /// The buffer of this input is longer, since the input may have to wait for playback.
  var runsFree = false
}

/// The settings that a card and the program have agreed on.
struct PCMParameters {
  private(set) var rate = 0
  private(set) var channels = 0
  private(set) var periodFrames = 0
  private(set) var bufferFrames = 0
  /// The number of frames to keep queued for the card.
  private(set) var depth = 0
  private(set) var sampleFormat = SampleFormat.float
  /// The clock of the card's timestamps; nil for the host's own clock.
  private(set) var stampClock: SystemClock.Stamp?

  /// The accepted sample formats, in the order of preference.
  ///
  /// The first format needs no conversion; the other formats follow in the order of their resolution.
  private static let preference: [(SampleFormat, snd_pcm_format_t)] = [
    (.float, SND_PCM_FORMAT_FLOAT), (.s32, SND_PCM_FORMAT_S32), (.s24, SND_PCM_FORMAT_S24),
    (.s24Packed, SND_PCM_FORMAT_S24_3LE), (.s16, SND_PCM_FORMAT_S16),
  ]

  /// Negotiates the settings of an open PCM.
  ///
  /// - Parameters:
  ///   - card: the card behind the PCM; nil for a plugin without a card.
  ///   - depth: frames to keep queued; nil for the result of `depth(blockFrames:card:)`.
  /// - Throws: `AudioError`, which says what the card supports instead.
  init(
    _ pcm: OpaquePointer, name: String, card: Int?, wanted: PCMRequest, depth: Int? = nil
  ) throws(AudioError) {
    try agreeOnHardware(pcm, name, card, wanted, depth)
    try agreeOnSoftware(pcm, name, wanted)
  }

  /// Returns the number of frames to keep queued if the blocks have `blockFrames` frames.
  ///
  /// The queue is long enough to avoid underruns, but no longer, since a longer queue increases the latency.
  ///
  /// - Parameter card: the index of the card; nil for a sound server, whose own period follows the length of the
  ///   blocks.
  static func depth(blockFrames: Int, card: Int?) -> Int {
    // One block plays, one waits, and one is for a thread that wakes late. Short blocks leave less time for that. A
    // server's queue grows if it is too short.
    let blocks = blockFrames < 256 && card != nil ? 4 : 3
    let least = isTicking(card) ? 768 : 0
    return max(blocks, (least + blockFrames - 1) / blockFrames) * blockFrames
  }

  /// Returns the longest queue for a sound server, in frames: 2048 frames, rounded down to whole blocks, but at least
  /// four blocks.
  ///
  /// The usual period of a sound server has at most 1024 frames, and the queue holds two periods.
  static func deepest(blockFrames: Int) -> Int {
    max(2048 / blockFrames, 4) * blockFrames
  }

  /// Returns whether the card is the kernel's loopback, whose position advances every 4 ms and is at times 11 ms late.
  private static func isTicking(_ card: Int?) -> Bool {
    guard let card else { return false }
    return ALSADeviceList.driver(ofCard: card) == "Loopback"
  }

  private mutating func agreeOnHardware(
    _ pcm: OpaquePointer, _ name: String, _ card: Int?, _ wanted: PCMRequest, _ fixedDepth: Int?
  ) throws(AudioError) {
    var made: OpaquePointer?
    snd_pcm_hw_params_malloc(&made)
    guard let hardware = made else { throw .device(name: name, reason: "out of memory") }
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(pcm, hardware), name)
    guard snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED) == 0 else {
      throw ALSAError.unfit(name, "it does not accept interleaved samples")
    }
    guard
      let format = Self.preference.first(where: { snd_pcm_hw_params_test_format(pcm, hardware, $0.1) == 0 })
    else {
      throw ALSAError.unfit(name, "it has no sample format of 16, 24 or 32 bits")
    }
    try check(snd_pcm_hw_params_set_format(pcm, hardware, format.1), name)
    sampleFormat = format.0
    try agreeOnRate(pcm, hardware, name, wanted)
    try agreeOnChannels(pcm, hardware, name, wanted)

    var period = snd_pcm_uframes_t(wanted.blockFrames)
    var direction: Int32 = 0
    try check(snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, &direction), name)
    periodFrames = Int(period)
    depth = fixedDepth ?? Self.depth(blockFrames: periodFrames, card: card)
    // A longer buffer adds no latency on a card: the queued frames count. It has four periods at least, as some
    // drivers lose sound with fewer; input that must wait needs more. A sound server uses a period as long as the
    // space at which it wakes us. So its buffer is exactly the queue.
    let isServed = card == nil && !wanted.isCapture
    let room = isServed ? depth : max(depth, (wanted.runsFree ? 8 : 4) * periodFrames)
    var buffer = snd_pcm_uframes_t(room)
    try check(snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer), name)
    try check(snd_pcm_hw_params(pcm, hardware), name)
    bufferFrames = Int(buffer)
    depth = min(depth, max(1, bufferFrames / periodFrames) * periodFrames)
  }

  private mutating func agreeOnRate(
    _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ name: String, _ wanted: PCMRequest
  ) throws(AudioError) {
    let rate = UInt32(wanted.rate.rounded())
    self.rate = Int(rate)
    guard snd_pcm_hw_params_set_rate(pcm, hardware, rate, 0) != 0 else { return }
    if !wanted.isRateFixed {
      var nearest = rate
      var direction: Int32 = 0
      try check(snd_pcm_hw_params_set_rate_near(pcm, hardware, &nearest, &direction), name)
      self.rate = Int(nearest)
      return
    }
    var lowest: UInt32 = 0
    var highest: UInt32 = 0
    var direction: Int32 = 0
    snd_pcm_hw_params_get_rate_min(hardware, &lowest, &direction)
    snd_pcm_hw_params_get_rate_max(hardware, &highest, &direction)
    throw .impossibleRate(
      name: name, isCapture: wanted.isCapture, rate: Int(rate), lowest: Int(lowest), highest: Int(highest))
  }

  private mutating func agreeOnChannels(
    _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ name: String, _ wanted: PCMRequest
  ) throws(AudioError) {
    var granted = UInt32(wanted.channels)
    try check(snd_pcm_hw_params_set_channels_near(pcm, hardware, &granted), name)
    channels = Int(granted)
    // A card with more channels leaves some silent, and one microphone serves all inputs; otherwise none may be
    // missing.
    guard channels >= wanted.channels || (wanted.isCapture && channels == 1) else {
      throw .impossibleChannels(
        name: name, isCapture: wanted.isCapture, channels: wanted.channels, highest: channels)
    }
  }

  private mutating func agreeOnSoftware(
    _ pcm: OpaquePointer, _ name: String, _ wanted: PCMRequest
  ) throws(AudioError) {
    var made: OpaquePointer?
    snd_pcm_sw_params_malloc(&made)
    guard let software = made else { throw .device(name: name, reason: "out of memory") }
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(pcm, software), name)
    var boundary: snd_pcm_uframes_t = 0
    snd_pcm_sw_params_get_boundary(software, &boundary)
    // Started explicitly after the first silence is queued; stopped, as an xrun, when it has underrun or overrun.
    try check(snd_pcm_sw_params_set_start_threshold(pcm, software, boundary), name)
    try check(snd_pcm_sw_params_set_stop_threshold(pcm, software, snd_pcm_uframes_t(bufferFrames)), name)
    let wake = wanted.isCapture ? periodFrames : bufferFrames - depth + periodFrames
    try check(snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(wake)), name)
    snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW)
    if snd_pcm_sw_params(pcm, software) != 0 {
      snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
      try check(snd_pcm_sw_params(pcm, software), name)
    }
    // The actual clock of the timestamps: a plugin may have ignored the request.
    var type = SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW
    snd_pcm_sw_params_current(pcm, software)
    snd_pcm_sw_params_get_tstamp_type(software, &type)
    stampClock =
      switch type {
      case SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW: nil
      case SND_PCM_TSTAMP_TYPE_MONOTONIC: .monotonic
      default: .realtime
      }
  }

  private func check(_ result: Int32, _ name: String) throws(AudioError) {
    if result < 0 { throw ALSAError.error(result, name) }
  }
}
