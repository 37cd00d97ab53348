import MoCore

/// A block of sound in the audio callback: the input, and a buffer for the output.
///
/// Samples are interleaved: frame 0's channels, then frame 1's. The nominal range is −1 … 1. When the callback begins,
/// the output is zero. `block[frame] = value` writes a mono value to every output channel.
///
/// - Thread: the audio thread, inside the callback only; the compiler prevents any other use.
/// - Real-time safe: yes. If you access a frame or channel outside the block, the program stops with a message, and
///   does not write to other memory.
@frozen
public struct AudioBlock: ~Copyable, ~Escapable {
  /// The output: `frames.count × outputs` samples, interleaved; zero when the callback begins.
  public var output: MutableSpan<Float>
  /// The input: `frames.count × inputs` samples, interleaved.
  public let input: Span<Float>
  /// The number of output channels.
  public let outputs: Int
  /// The number of input channels; 0 if no input was requested.
  public let inputs: Int
  /// The indices of this block's frames, from 0; the next block may have more or fewer frames.
  public let frames: Range<Int>
  /// Frames per second of the device.
  public let sampleRate: Double
  /// The index of the block's first frame, counted from the start of the audio output; it never repeats or decreases.
  public let position: Int64
  /// The time at which the block's first frame is heard.
  @inlinable public var time: HostTime { heard }
  /// The time at which the block's first input frame reached the microphone, as reported by the device.
  ///
  /// The value is nil if the block has no input, or if the device does not report this time.
  public let inputTime: HostTime?
  /// The time at which the block's first frame is heard; `time` returns this value.
  ///
  /// While an instrument bus renders its instruments, the value includes the delay of the bus's limiter.
  @usableFromInline package var heard: HostTime
  /// Nanoseconds from one frame to the next, measured against the host clock.
  @usableFromInline let nanosecondsPerFrame: Double
  /// Nanoseconds from a strike by the player's hand to the sound of the strike; see `playedTime`.
  @usableFromInline package var playThrough: Int64

  /// Creates a block over the caller's memory.
  ///
  /// - Parameters:
  ///   - output: `frames × outputs` samples to fill.
  ///   - input: `frames × inputs` samples to read.
  ///   - outputs: output channels, at least 1 unless `output` is empty.
  ///   - inputs: input channels; 0 if `input` is empty.
  ///   - frames: the number of frames of the block.
  ///   - sampleRate: nominal frames per second of the running device.
  ///   - position: index of the first frame, counted from the start of the audio output.
  ///   - time: the time at which the first frame is heard.
  ///   - nanosecondsPerFrame: measured spacing of frames; nil for `1e9 / sampleRate`.
  ///   - inputTime: the time at which the first input frame reached the microphone; nil if unknown.
  ///   - playThrough: the delay from a strike to its sound; 0 if each strike sounds as soon as possible.
  @inlinable
  @_lifetime(copy output, copy input)
  public init(
    output: consuming MutableSpan<Float>, input: Span<Float>, outputs: Int, inputs: Int, frames: Int,
    sampleRate: Double, position: Int64 = 0, time: HostTime = .zero, nanosecondsPerFrame: Double? = nil,
    inputTime: HostTime? = nil, playThrough: Duration = .zero
  ) {
    precondition(
      output.count == frames &* outputs, "the output must have a sample for each frame and channel")
    precondition(input.count == frames &* inputs, "the input must have a sample for each frame and channel")
    self.output = output
    self.input = input
    self.outputs = outputs
    self.inputs = inputs
    self.frames = 0..<frames
    self.sampleRate = sampleRate
    self.position = position
    heard = time
    self.nanosecondsPerFrame = nanosecondsPerFrame ?? 1e9 / sampleRate
    self.inputTime = inputTime
    self.playThrough = playThrough.nanoseconds
  }

  /// Returns the time at which a frame of this block is heard.
  @inlinable
  public func time(_ frame: Int) -> HostTime {
    HostTime(nanoseconds: time.nanoseconds &+ Int64(Double(frame) * nanosecondsPerFrame))
  }

  /// Returns the time at which the player made the strikes that begin to sound at a frame of this block.
  ///
  /// The result is `time(frame)` minus a constant delay. The delay is the output latency plus the length of a block,
  /// or plus the length of the blocks that a sound server requests at once. Each block receives all strikes that
  /// arrived since the previous block. Because the delay is constant, the strikes keep their spacing. If
  /// `MoAudio.spacesEvenly` is false, the delay is 0.
  ///
  /// <!-- with: var drum = Drum() -->
  ///
  /// ```swift
  /// if let force = strike.due(at: block.playedTime(frame)) { drum.strike(force) }
  /// ```
  @inlinable
  public func playedTime(_ frame: Int) -> HostTime { time(frame).advanced(byNanoseconds: 0 &- playThrough) }

  /// Returns the index of the frame that is heard at `time`; nil if that frame is not in this block.
  @inlinable
  public func frame(at time: HostTime) -> Int? {
    let frame = Int((Double(time.nanoseconds &- self.time.nanoseconds) / nanosecondsPerFrame).rounded())
    return frames.contains(frame) ? frame : nil
  }

  /// One frame as a mono value: writing sets every output channel; reading returns the first channel.
  @inlinable
  public subscript(frame: Int) -> Float {
    get { output[frame &* outputs] }
    @_lifetime(self: copy self)
    set {
      precondition(frames.contains(frame), "frame outside the block")
      var index = frame &* outputs
      for _ in 0..<outputs {
        output[index] = newValue
        index &+= 1
      }
    }
  }

  /// One sample of the output.
  @inlinable
  public subscript(frame: Int, channel: Int) -> Float {
    get {
      precondition(channel >= 0 && channel < outputs, "channel outside the block")
      return output[frame &* outputs &+ channel]
    }
    @_lifetime(self: copy self)
    set {
      precondition(channel >= 0 && channel < outputs, "channel outside the block")
      output[frame &* outputs &+ channel] = newValue
    }
  }

  /// Returns one sample of the input.
  @inlinable
  public func input(_ frame: Int, _ channel: Int = 0) -> Float {
    precondition(channel >= 0 && channel < inputs, "channel outside the input")
    return input[frame &* inputs &+ channel]
  }
}

/// Subscripts with values of type `Double`, so that a program need not convert them to `Float`.
extension AudioBlock {
  /// One frame as a mono value: writing sets every output channel to the nearest `Float`; reading returns the first
  /// channel.
  @inlinable @_disfavoredOverload
  public subscript(frame: Int) -> Double {
    get { Double(output[frame &* outputs]) }
    @_lifetime(self: copy self)
    set { self[frame] = Float(newValue) }
  }

  /// One sample of the output; writing sets it to the nearest `Float`.
  @inlinable @_disfavoredOverload
  public subscript(frame: Int, channel: Int) -> Double {
    get { Double(self[frame, channel] as Float) }
    @_lifetime(self: copy self)
    set { self[frame, channel] = Float(newValue) }
  }
}
