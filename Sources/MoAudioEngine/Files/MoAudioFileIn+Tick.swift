import CMoSystem
import MoDSPCore

extension MoAudioFileIn {
  /// Plays the next frame and returns it as one sample: the mean of its channels, times the gain.
  @discardableResult
  public func tick() -> Float {
    tickFrame()
    return lastOut
  }

  /// Plays the next frame; after the end of the file, the frame is silent.
  ///
  /// Then `lastFrame` returns the samples of this frame.
  public func tickFrame() {
    guard !isFinished else { return last.update(repeating: 0, count: channels) }
    guard momu_thread_is_rehearsing() == 0 else { return warmUp() }
    hasPlayed = true
    if let samples { tick(in: samples) } else { tickStream() }
  }

  /// Computes a frame as `tickFrame` does, but leaves the playback position unchanged.
  ///
  /// Before play, MoMu calls the callback once and discards the output. In this call, the file must not advance.
  private func warmUp() {
    let pace = step
    step = 0
    if let samples { tick(in: samples) } else { tickStream() }
    step = pace
  }

  /// Returns a channel's sample of the last played frame, times the gain; 0 for a channel that the file does not have.
  public func lastFrame(_ channel: Int) -> Float {
    channel >= 0 && channel < channels ? gain * last[channel] : 0
  }

  /// The mean of the channels of the last played frame, times the gain.
  public var lastOut: Float {
    var sum: Float = 0
    for channel in 0..<channels { sum += last[channel] }
    return gain * sum / Float(channels)
  }

  /// Plays as many frames as a block has, and adds them to the block's output.
  ///
  /// A mono file plays on all outputs. On a single output, any other file plays as the mean of its channels.
  /// Otherwise each channel plays on the output with the same number, unless `map` changes that.
  public func add(to block: inout AudioBlock) {
    for frame in block.frames {
      tickFrame()
      for output in 0..<min(block.outputs, 64) {
        block[frame, output] += sample(for: output, of: block.outputs)
      }
    }
  }

  /// Assigns a channel of the file to each output.
  ///
  /// - Parameter channels: the channel for the first output, for the second output, and so on; channels count from 0.
  ///   An output with the number −1 plays its default.
  ///
  /// An output's default is the channel of the same number. There are two exceptions: each output plays a mono file,
  /// and a single output plays the mean of all channels.
  ///
  /// A channel that the file does not have is silent.
  public func map(_ channels: [Int]) {
    for index in 0..<min(64, channels.count) { outputs[index] = Int8(max(-1, min(64, channels[index]))) }
  }

  private func sample(for output: Int, of count: Int) -> Float {
    let mapped = Int(outputs[output])
    if mapped >= 0 { return lastFrame(mapped) }
    if channels == 1 { return gain * last[0] }
    return count == 1 ? lastOut : lastFrame(output)
  }

  // MARK: In memory

  private func tick(in samples: UnsafeMutablePointer<Float>) {
    var whole = Int(position)
    // Backwards, it fades out before the first frame as it does after the last.
    if position < 0 { whole = -1 }
    let part = interpolates ? Float(position - Double(whole)) : 0
    if part == 0 {
      last.update(from: samples + max(0, whole) &* channels, count: channels)
    } else if whole > 0 && whole &+ 2 < frames {
      let here = samples + whole &* channels
      for channel in 0..<channels {
        last[channel] = hermite(
          here[channel &- channels], here[channel], here[channel &+ channels], here[channel &+ 2 &* channels],
          part)
      }
    } else {
      for channel in 0..<channels {
        func near(_ offset: Int) -> Float { edgeSample(samples, whole + offset, channel) }
        last[channel] = hermite(near(-1), near(0), near(1), near(2), part)
      }
    }
    position += step
    guard position < 0 || position >= Double(frames) else { return }
    guard loops else {
      isFinished = step < 0 ? position <= -1 : position >= Double(frames)
      return
    }
    position = position.truncatingRemainder(dividingBy: Double(frames))
    if position < 0 { position += Double(frames) }
    // After rounding, the sum of a tiny negative number and the length may be the length.
    if position >= Double(frames) { position = 0 }
  }

  /// Returns the sample of a channel in any frame.
  ///
  /// In a frame beyond an end, the sample is 0 or, if the sound loops, the sample from the other end.
  private func edgeSample(_ samples: UnsafeMutablePointer<Float>, _ frame: Int, _ channel: Int) -> Float {
    guard frame < 0 || frame >= frames else { return samples[frame * channels + channel] }
    return loops ? samples[((frame % frames) + frames) % frames * channels + channel] : 0
  }

  /// Returns the value at the fraction `part` between the samples `b` and `c`, with a cubic through both.
  ///
  /// The slopes of the cubic at `b` and `c` come from the neighbours `a` and `d`.
  ///
  /// - Source: E. Catmull, R. Rom, *A class of local interpolating splines* (1974).
  private func hermite(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ part: Float) -> Float {
    let slope = (c - a) / 2
    let cubic = (d - a) / 2 + 1.5 * (b - c)
    let square = a - 2.5 * b + 2 * c - d / 2
    return ((cubic * part + square) * part + slope) * part + b
  }

  // MARK: From the disk

  private func tickStream() {
    guard let ring else { return }
    ring._withUnsafeGuaranteedRef { tick(from: $0) }
  }

  private func tick(from ring: FrameRing) {
    if isSynchronous { disk?.fill() }
    if isSeeking {
      guard ring.arrive() else { return last.update(repeating: 0, count: channels) }
      isSeeking = false
    }
    let passed = min(framesToSkip, ring.readable)
    pass(passed, in: ring)
    // The first readable frame is the previous one; the sound ends when it is the last.
    let left = ring.left
    if let left, left <= 1 {
      isFinished = true
      return last.update(repeating: 0, count: channels)
    }
    guard framesToSkip == 0, left != nil || ring.readable >= 4 else { return runDry() }
    isDry = false
    let part = interpolates ? Float(position) : 0
    for channel in 0..<channels {
      // Silence follows the last frame.
      func near(_ ahead: Int) -> Float { ahead < left ?? 4 ? ring.sample(ahead, channel) : 0 }
      last[channel] = part == 0 ? near(1) : hermite(near(0), near(1), near(2), near(3), part)
    }
    position += abs(step)
    framesToSkip = Int(position)
    position -= Double(framesToSkip)
  }

  /// Skips `count` frames in the ring: subtracts them from `framesToSkip`, the number of frames still to be skipped,
  /// and updates `streamFrame`.
  private func pass(_ count: Int, in ring: FrameRing) {
    guard count > 0 else { return }
    ring.advance(by: count)
    framesToSkip -= count
    streamFrame += isBackwards ? -count : count
    guard streamFrame < 0 || streamFrame >= frames else { return }
    streamFrame = loops ? ((streamFrame % frames) + frames) % frames : max(0, min(frames - 1, streamFrame))
  }

  private func runDry() {
    last.update(repeating: 0, count: channels)
    dryFrames.wrappingAdd(1, ordering: .relaxed)
    if !isDry { dryTimes.wrappingAdd(1, ordering: .relaxed) }
    isDry = true
  }
}
