import MoAudioEngine
import MoDSPCore
import MoRuntime

extension MoAudio {
  /// Starts the sound.
  ///
  /// If `device` is nil, MoMu uses the system's default device. If that device cannot be opened, the program runs in
  /// silence, and a notice says why. The options `--audio`, `--rate`, `--block` and `--channels` override the
  /// arguments.
  ///
  /// The call returns when the device runs. Before that, MoMu calls the callback once with silent input and discards
  /// the output. The callback may allocate memory in this first call, but not in later calls.
  ///
  /// - Parameters:
  ///   - device: the name of the device, such as `default`, `hw:1`, `plughw:1`, `virtual`, `wav:FILE`, `none`.
  ///   - sampleRate: the requested frames per second, 4,000 … 768,000. A device without that rate plays at its own,
  ///     which is `MoAudio.sampleRate`. With the option `--rate`, a device without that rate is an error instead.
  ///   - blockFrames: the requested frames per block, 1 … 8,192; the actual number is `MoAudio.blockFrames`.
  ///   - inputs: the number of input channels, 0 … 64. If the device plays but cannot record, the input is silent, and
  ///     a warning says why.
  ///   - outputs: the number of output channels, 0 … 64; `inputs` and `outputs` must not both be 0.
  ///   - callback: called for every block on the audio thread; it must not allocate, lock or wait.
  /// - Throws: `AudioError`, whose text says what to do; `AudioError.outOfRange` for a number outside its range. With a
  ///   named device: no such device, busy, no permission, impossible rate. In both cases: already running.
  public static func start(
    device: String? = nil, sampleRate: Double = 48_000, blockFrames: Int = 256, inputs: Int = 0,
    outputs: Int = 2, _ callback: @escaping @Sendable (inout AudioBlock) -> Void
  ) throws {
    let settings = AudioSettings(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs)
    try AudioServer.shared.start(settings, in: .current, callback)
  }

  /// Starts the sound with the program's own state, which the callback receives and may change.
  ///
  /// After the call, only the audio thread uses the state.
  ///
  /// - Throws: the errors of `start` without a state.
  public static func start<State>(
    _ state: sending State, device: String? = nil, sampleRate: Double = 48_000, blockFrames: Int = 256,
    inputs: Int = 0, outputs: Int = 2,
    _ callback: @escaping @Sendable (inout State, inout AudioBlock) -> Void
  ) throws {
    try start(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs,
      StateCallback.make(state, callback))
  }

  /// Starts the sound with two states of the program, which the callback receives and may change.
  ///
  /// - Throws: the errors of `start` without a state.
  public static func start<First, Second>(
    _ first: sending First, _ second: sending Second, device: String? = nil, sampleRate: Double = 48_000,
    blockFrames: Int = 256, inputs: Int = 0, outputs: Int = 2,
    _ callback: @escaping @Sendable (inout First, inout Second, inout AudioBlock) -> Void
  ) throws {
    try start(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs,
      StateCallback.make(first, second, callback))
  }

  /// Starts the sound with three states of the program, which the callback receives and may change.
  ///
  /// - Throws: the errors of `start` without a state.
  public static func start<First, Second, Third>(
    _ first: sending First, _ second: sending Second, _ third: sending Third, device: String? = nil,
    sampleRate: Double = 48_000, blockFrames: Int = 256, inputs: Int = 0, outputs: Int = 2,
    _ callback: @escaping @Sendable (inout First, inout Second, inout Third, inout AudioBlock) -> Void
  ) throws {
    try start(
      device: device, sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs,
      StateCallback.make(first, second, third, callback))
  }
}

/// The arguments of `MoAudio.start`.
package struct AudioSettings: Equatable, Sendable {
  var device: String?
  var sampleRate: Double = 48_000
  var blockFrames = 256
  var inputs = 0
  package var outputs = 2

  package init(
    device: String? = nil, sampleRate: Double = 48_000, blockFrames: Int = 256, inputs: Int = 0,
    outputs: Int = 2
  ) {
    (self.device, self.sampleRate, self.blockFrames, self.inputs, self.outputs) = (
      device, sampleRate, blockFrames, inputs, outputs
    )
  }

  /// Returns these settings, with the values of `--audio`, `--rate`, `--block` and `--channels` if the user gave them.
  ///
  /// `--channels` does not change settings without outputs.
  package func overridden(by options: RunOptions) -> AudioSettings {
    var settings = self
    settings.device = options.audio ?? device
    settings.sampleRate = options.rate ?? sampleRate
    settings.blockFrames = options.block ?? blockFrames
    // A program without outputs stays so.
    if outputs > 0 { settings.outputs = options.channels ?? outputs }
    return settings
  }

  /// Returns the format of these settings.
  ///
  /// - Throws: `AudioError.outOfRange`, which names the argument and its range.
  package func validated() throws(AudioError) -> AudioFormat {
    guard sampleRate >= 4_000, sampleRate <= 768_000 else {
      throw .outOfRange(
        what: "a sampleRate of", value: "\(sampleRate)", wants: "4000 to 768000 Hz, such as 48000")
    }
    guard (1...8192).contains(blockFrames) else {
      throw .outOfRange(
        what: "blockFrames of", value: "\(blockFrames)", wants: "1 to 8192 frames, such as 256")
    }
    guard (0...64).contains(inputs) else {
      throw .outOfRange(what: "inputs of", value: "\(inputs)", wants: "0 to 64 channels, such as 1")
    }
    guard (0...64).contains(outputs), inputs + outputs > 0 else {
      throw .outOfRange(what: "outputs of", value: "\(outputs)", wants: "1 to 64 channels, such as 2")
    }
    return AudioFormat(sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs)
  }
}
