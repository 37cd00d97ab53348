import MoCore

/// Makes blocks of the program's length out of the periods in which a server asks, whatever their lengths.
///
/// A block is rendered when its first frame is asked for, so a period of the blocks' own length passes straight
/// through. Where the lengths do not divide, input is a block late; output never is.
///
/// - Thread: the one that the server calls.
/// - Real-time safe: allocates nothing after `init`.
package final class BlockFeed {
  package let format: AudioFormat
  /// Frames of output given since `begin`, but for those still kept.
  package private(set) var written: Int64 = 0
  /// When the first frame of the last input block had reached the microphone.
  package private(set) var inputTime: HostTime?

  /// The last block, interleaved, and how many of its frames have been given.
  private let block: UnsafeMutableBufferPointer<Float>
  private var given = 0
  /// Input that waits for its block, interleaved: a ring.
  private let waiting: UnsafeMutableBufferPointer<Float>
  private let room: Int
  private var firstWaiting = 0
  private var waitingFrames = 0
  /// When the frame after the last waiting one will have reached the microphone.
  private var inputEnd: HostTime?
  private var hasBegun = false

  /// The longest period that a server may ask for at once.
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

  /// Forgets all that is kept.
  package func begin() {
    written = 0
    given = format.blockFrames
    firstWaiting = 0
    waitingFrames = 0
    inputTime = nil
    inputEnd = nil
    hasBegun = false
  }

  /// One period of the server's.
  ///
  /// - Parameters:
  ///   - frames: its length, 1…`longestPeriod`; what is longer stays silent.
  ///   - time: when it began.
  ///   - latency: frames from the beginning of a period to the moment at which its first frame is heard.
  ///   - inputLatency: frames from the microphone to the beginning of a period.
  ///   - inputs: one buffer a channel, nil for a silent one.
  ///   - outputs: likewise.
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
    take(inputs, count, firstAt: time.advanced(bySeconds: -Double(inputLatency) / format.sampleRate))
    var done = 0
    while done < count {
      if given == format.blockFrames {
        let before = written
        turn(.ready(position: CardPosition(frame: written - Int64(latency + done), time: time)))
        // A program without outputs is turned all the same, a block at a time.
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

  /// Gives the next block of input; see `AudioDevice.read`.
  package func read(_ target: UnsafeMutableBufferPointer<Float>) -> Bool {
    let frames = format.blockFrames
    // Only where a server changes to a period that the first did not prepare for.
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

  /// Takes the next block of output; see `AudioDevice.write`.
  package func write(_ source: UnsafeBufferPointer<Float>) -> Bool {
    _ = block.update(fromContentsOf: source)
    written += Int64(format.blockFrames)
    return true
  }

  /// Puts so much silence before the input that from then on every turn finds a whole block of it.
  ///
  /// When block *k* is asked for, the whole periods up to its first frame are there, which are at least *k* blocks and
  /// the greatest common divisor of the two lengths.
  private func delayInput(for period: Int) {
    guard format.inputs > 0 else { return }
    var (larger, divisor) = (format.blockFrames, max(1, period))
    while larger % divisor != 0 { (larger, divisor) = (divisor, larger % divisor) }
    waitingFrames = format.blockFrames - divisor
    waiting[..<(waitingFrames * format.inputs)].update(repeating: 0)
  }

  private func take(
    _ inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, _ count: Int, firstAt time: HostTime
  ) {
    guard format.inputs > 0 else { return }
    // Input that is not read makes room: the newest is kept.
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
