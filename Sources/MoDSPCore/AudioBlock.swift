import MoCore

/// A stretch of sound on its way through the callback: what came in, and room for what goes out.
///
/// Samples are interleaved: frame 0's channels, then frame 1's. Nominal range is −1 … 1; the output arrives
/// zeroed. `block[frame] = value` puts a mono value on every output channel.
///
/// - Thread: the audio thread, inside the callback only; the compiler lets it go nowhere else.
/// - Real-time safe: yes, all of it. A frame or channel outside the block stops the program with a message
///   instead of writing somewhere else.
@frozen
public struct AudioBlock: ~Copyable, ~Escapable {
  /// What goes out: `frames.count × outputs` samples, interleaved, zero on arrival.
  public var output: MutableSpan<Float>
  /// What came in: `frames.count × inputs` samples, interleaved.
  public let input: Span<Float>
  /// Output channels.
  public let outputs: Int
  /// Input channels; 0 where no input was asked for.
  public let inputs: Int
  /// The frames of this block, counted from 0; there may be more or fewer in the next.
  public let frames: Range<Int>
  /// Frames a second, as the device really runs.
  public let sampleRate: Double
  /// The index of the block's first frame, counted since the start; it does not repeat or run back.
  public let position: Int64
  /// When the block's first frame reaches the ear: the heard time.
  @inlinable public var time: HostTime { heard }
  /// When the block's first input frame had reached the microphone, by the device's own account; nil where nothing is
  /// recorded, or the device cannot tell.
  public let inputTime: HostTime?
  /// The same; a bus whose sound is later than the block says so here.
  @usableFromInline package var heard: HostTime
  /// Nanoseconds from one frame to the next, as measured against the host clock.
  @usableFromInline let nanosecondsPerFrame: Double
  /// Nanoseconds from a stroke to its sound; see `playedTime`.
  @usableFromInline package var playThrough: Int64

  /// A block over the caller's memory.
  ///
  /// - Parameters:
  ///   - output: `frames × outputs` samples to fill.
  ///   - input: `frames × inputs` samples to read.
  ///   - outputs: output channels, at least 1 unless `output` is empty.
  ///   - inputs: input channels; 0 with an empty `input`.
  ///   - frames: how many frames the block has.
  ///   - sampleRate: nominal frames a second of the running device.
  ///   - position: index of the first frame since the start.
  ///   - time: when the first frame reaches the ear.
  ///   - nanosecondsPerFrame: measured spacing of frames; nil for `1e9 / sampleRate`.
  ///   - inputTime: when the first input frame had reached the microphone; nil where that is not known.
  ///   - playThrough: how long after a stroke its sound is heard; 0 for as soon as it can be.
  @inlinable
  @_lifetime(copy output, copy input)
  public init(
    output: consuming MutableSpan<Float>, input: Span<Float>, outputs: Int, inputs: Int, frames: Int,
    sampleRate: Double, position: Int64 = 0, time: HostTime = .zero, nanosecondsPerFrame: Double? = nil,
    inputTime: HostTime? = nil, playThrough: Duration = .zero
  ) {
    precondition(output.count == frames &* outputs, "the output has a sample for every frame and channel")
    precondition(input.count == frames &* inputs, "the input has a sample for every frame and channel")
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

  /// When a frame of this block reaches the ear.
  @inlinable
  public func time(_ frame: Int) -> HostTime {
    HostTime(nanoseconds: time.nanoseconds &+ Int64(Double(frame) * nanosecondsPerFrame))
  }

  /// When a hand played the strokes that belong in a frame of this block.
  ///
  /// It is `time(frame)` less one constant: the output latency and a block. So strokes keep their spacing, though each
  /// block takes all those that came since the one before.
  ///
  /// ```swift
  /// if let force = strike.due(at: block.playedTime(frame)) { drum.strike(force) }
  /// ```
  @inlinable
  public func playedTime(_ frame: Int) -> HostTime { time(frame).advanced(byNanoseconds: 0 &- playThrough) }

  /// The frame that reaches the ear at `time`, or nil where that is not in this block.
  @inlinable
  public func frame(at time: HostTime) -> Int? {
    let frame = Int((Double(time.nanoseconds &- self.time.nanoseconds) / nanosecondsPerFrame).rounded())
    return frames.contains(frame) ? frame : nil
  }

  /// One frame as a mono value: writing sets every output channel, reading gives the first.
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

  /// One sample of the input.
  @inlinable
  public func input(_ frame: Int, _ channel: Int = 0) -> Float {
    precondition(channel >= 0 && channel < inputs, "channel outside the input")
    return input[frame &* inputs &+ channel]
  }
}
