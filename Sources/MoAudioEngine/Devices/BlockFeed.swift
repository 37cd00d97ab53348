import MoCore

/// Converts between a server's periods of any length and the program's blocks.
///
/// A block is rendered when its first frame is requested, so output is never late. Input is delayed by the block length
/// minus the greatest common divisor of the block length and the period. If a period consists of whole blocks, input is
/// not delayed.
///
/// - Thread: the server's thread, on which the server requests its periods.
/// - Real-time safe: allocates nothing after `init`.
package final class BlockFeed {
  package let format: AudioFormat
  /// The number of output frames that the program supplied since `begin`, including frames that the server has not
  /// received yet.
  package private(set) var written: Int64 = 0
  /// The time at which the first frame of the last input block reached the microphone.
  package private(set) var inputTime: HostTime?

  /// The last block of output, interleaved.
  private let block: UnsafeMutableBufferPointer<Float>
  /// The number of frames of `block` that the server already has.
  private var given = 0
  /// A ring buffer of interleaved input that the program has not read yet.
  private let waiting: UnsafeMutableBufferPointer<Float>
  private let room: Int
  private var firstWaiting = 0
  private var waitingFrames = 0
  /// The time at which the frame after the last frame in `waiting` reaches the microphone; nil before the first period.
  private var inputEnd: HostTime?
  private var hasBegun = false

  /// The longest period, in frames, that a server may request.
  package static let longestPeriod = 8192

  package init(format: AudioFormat) {
    self.format = format
    room = BlockFeed.longestPeriod + 2 * format.blockFrames
    block = .allocate(capacity: max(1, format.blockFrames * format.outputs))
    block.initialize(repeating: 0)
    waiting = .allocate(capacity: max(1, room * format.inputs))
    waiting.initialize(repeating: 0)
    given = format.blockFrames
  }

  deinit {
    block.deallocate()
    waiting.deallocate()
  }

  /// Discards all stored sound, before the device starts.
  package func begin() {
    written = 0
    given = format.blockFrames
    firstWaiting = 0
    waitingFrames = 0
    inputTime = nil
    inputEnd = nil
    hasBegun = false
  }

  /// Exchanges one period of the server with the program's blocks.
  ///
  /// - Parameters:
  ///   - frames: the length of the period, 1…`longestPeriod`; the further frames of a longer period are neither read
  ///     nor written.
  ///   - time: the time at which the period began.
  ///   - latency: the number of frames from the start of a period to the moment at which its first frame is heard.
  ///   - inputLatency: the number of frames from the moment at which a period's first input reached the microphone to
  ///     the start of the period.
  ///   - inputs: one buffer per channel; nil for a silent channel.
  ///   - outputs: one buffer per channel; nil for a channel that needs no samples.
  ///   - turn: exchanges one block; see `AudioDevice.start(turn:)`.
  package func exchange(
    frames: Int, at time: HostTime, latency: Int, inputLatency: Int,
    inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, turn: (AudioDeviceState) -> Void
  ) {
    let count = min(frames, BlockFeed.longestPeriod)
    if !hasBegun {
      hasBegun = true
      delayInput(for: count)
    }
    append(inputs, count, firstAt: time.advanced(bySeconds: -Double(inputLatency) / format.sampleRate))
    var done = 0
    while done < count {
      if given == format.blockFrames {
        let before = written
        turn(.ready(position: CardPosition(frame: written - Int64(latency + done), time: time)))
        // A program without outputs is called all the same, for each block.
        if written == before {
          block.update(repeating: 0)
          written += Int64(format.blockFrames)
        }
        given = 0
      }
      let part = min(count - done, format.blockFrames - given)
      for channel in 0..<format.outputs {
        guard let out = outputs[channel] else { continue }
        var index = given &* format.outputs &+ channel
        for frame in done..<(done &+ part) {
          out[frame] = block[index]
          index &+= format.outputs
        }
      }
      given += part
      done += part
    }
  }

  /// Fills `target` with the next block of input; see `AudioDevice.read`.
  package func read(_ target: UnsafeMutableBufferPointer<Float>) -> Bool {
    let frames = format.blockFrames
    // Only after the server changed to a period for which `delayInput` did not prepare.
    let missing = max(0, frames - waitingFrames)
    let silence = missing * format.inputs
    target[..<silence].update(repeating: 0)
    var index = silence
    for _ in 0..<(frames - missing) {
      for channel in 0..<format.inputs {
        target[index &+ channel] = waiting[firstWaiting &* format.inputs &+ channel]
      }
      index &+= format.inputs
      firstWaiting = firstWaiting &+ 1 == room ? 0 : firstWaiting &+ 1
    }
    inputTime = inputEnd?.advanced(bySeconds: -Double(waitingFrames + missing) / format.sampleRate)
    waitingFrames -= frames - missing
    return true
  }

  /// Accepts `source` as the next block of output; see `AudioDevice.write`.
  package func write(_ source: UnsafeBufferPointer<Float>) -> Bool {
    _ = block.update(fromContentsOf: source)
    written += Int64(format.blockFrames)
    return true
  }

  /// Inserts silence before the input, enough that each later `turn` can read a whole block.
  ///
  /// When block *k*, counted from 0, is requested, all periods that began up to its first frame are present. Together
  /// they are at least as long as *k* blocks plus the greatest common divisor of the block length and the period. So
  /// the silence is a block minus this divisor.
  private func delayInput(for period: Int) {
    guard format.inputs > 0 else { return }
    var (larger, divisor) = (format.blockFrames, max(1, period))
    while larger % divisor != 0 { (larger, divisor) = (divisor, larger % divisor) }
    waitingFrames = format.blockFrames - divisor
    waiting[..<(waitingFrames * format.inputs)].update(repeating: 0)
  }

  private func append(
    _ inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, _ count: Int, firstAt time: HostTime
  ) {
    guard format.inputs > 0 else { return }
    // If the input is not read, the oldest is dropped.
    let excess = max(0, waitingFrames + count - room)
    firstWaiting = (firstWaiting + excess) % room
    waitingFrames -= excess
    var place = (firstWaiting + waitingFrames) % room
    for frame in 0..<count {
      for channel in 0..<format.inputs {
        waiting[place &* format.inputs &+ channel] = inputs[channel]?[frame] ?? 0
      }
      place = place &+ 1 == room ? 0 : place &+ 1
    }
    waitingFrames += count
    inputEnd = time.advanced(bySeconds: Double(count) / format.sampleRate)
  }
}
