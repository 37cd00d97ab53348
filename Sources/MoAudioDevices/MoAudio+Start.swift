import MoAudioEngine
import MoDSPCore

extension MoAudio {
  /// Starts the sound.
  ///
  /// What is left out is the best there is; `--audio` overrides `device`. Returns when the device runs; the
  /// callback has then been called once already, on silence and unheard, to have its first allocations behind it.
  ///
  /// - Parameters:
  ///   - device: `default`, `hw:1`, `plughw:1`, `virtual`, `wav:FILE`, `none`.
  ///   - sampleRate: frames a second, 4,000 … 768,000; a wish: a device without that rate plays at its own, which is
  ///     `MoAudio.sampleRate`. Only `--rate` demands a rate.
  ///   - blockFrames: frames in a block, 1 … 8,192; actually `MoAudio.blockFrames`.
  ///   - inputs: input channels, 0 … 64.
  ///   - outputs: output channels, 0 … 64.
  ///   - callback: called for every block on the audio thread: no allocation, lock or waiting in there.
  /// - Throws: an error whose text says what to do: no such device, busy, no permission, impossible rate,
  ///   already running.
  public static func start(
    device: String? = nil, sampleRate: Double = 48_000, blockFrames: Int = 256, inputs: Int = 0,
    outputs: Int = 2, _ callback: @escaping @Sendable (inout AudioBlock) -> Void
  ) throws {
    let settings = AudioSettings(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs)
    try AudioServer.shared.start(settings, in: .current, callback)
  }

  /// Starts the sound with state of the program's own, which the callback gets back to change.
  ///
  /// From here on only the audio thread touches it.
  ///
  /// - Throws: as `start` without state does.
  public static func start<State>(
    _ state: sending State, device: String? = nil, sampleRate: Double = 48_000, blockFrames: Int = 256,
    inputs: Int = 0, outputs: Int = 2,
    _ callback: @escaping @Sendable (inout State, inout AudioBlock) -> Void
  ) throws {
    try start(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs,
      StateCallback.make(state, sampleRate: sampleRate, callback))
  }

  /// Starts the sound with two states of the program's own, which the callback gets back to change.
  ///
  /// - Throws: as `start` without state does.
  public static func start<First, Second>(
    _ first: sending First, _ second: sending Second, device: String? = nil, sampleRate: Double = 48_000,
    blockFrames: Int = 256, inputs: Int = 0, outputs: Int = 2,
    _ callback: @escaping @Sendable (inout First, inout Second, inout AudioBlock) -> Void
  ) throws {
    try start(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs,
      StateCallback.make(first, second, sampleRate: sampleRate, callback))
  }

  /// Starts the sound with three states of the program's own, which the callback gets back to change.
  ///
  /// - Throws: as `start` without state does.
  public static func start<First, Second, Third>(
    _ first: sending First, _ second: sending Second, _ third: sending Third, device: String? = nil,
    sampleRate: Double = 48_000, blockFrames: Int = 256, inputs: Int = 0, outputs: Int = 2,
    _ callback: @escaping @Sendable (inout First, inout Second, inout Third, inout AudioBlock) -> Void
  ) throws {
    try start(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs,
      StateCallback.make(first, second, third, sampleRate: sampleRate, callback))
  }
}
