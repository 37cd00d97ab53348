import MoDSP
import MoInstruments
import MoTime

/// One instrument on a bus of its own, rendered without a device, with what is to happen at which frame.
struct Rig {
  static let sampleRate = 48_000.0

  /// What happens at a frame.
  struct Cue {
    var frame: Int
    var action: (InstrumentHandle, HostTime) -> Void
  }

  var entry: InstrumentEntry
  var cues: [Cue] = []
  var seed: UInt64 = 1
  var loudness: Float = 0.8
  var blockFrames = 256

  init(_ name: String) throws { entry = try Catalogue.entry(name) }

  init(_ entry: InstrumentEntry) { self.entry = entry }

  static func frame(_ seconds: Double) -> Int { Int(seconds * sampleRate) }

  mutating func at(_ frame: Int, _ action: @escaping (InstrumentHandle, HostTime) -> Void) {
    cues.append(Cue(frame: frame, action: action))
  }

  mutating func send(_ event: InstrumentEvent, at frame: Int) { at(frame) { $0.send(event, at: $1) } }

  mutating func note(_ pitch: Float, velocity: Float = 0.8, from frame: Int, to end: Int? = nil) {
    send(.noteOn(Note(pitch, velocity: velocity)), at: frame)
    if let end { send(.noteOff(Note(pitch, velocity: 0.5)), at: end) }
  }

  mutating func set(_ name: String, to value: Float, at frame: Int) {
    at(frame) { handle, time in _ = try? handle.set(name, to: value, at: time) }
  }

  /// A note in the middle of what it plays.
  var middle: Float { entry.sheet.plays.map { (($0.lowerBound + $0.upperBound) / 2).rounded() } ?? 60 }

  /// So many notes, spread over what it plays.
  func pitches(_ count: Int) -> [Float] {
    let range = entry.sheet.plays ?? 36...84
    return (0..<count).map { index in
      let part = count > 1 ? Float(index) / Float(count - 1) : 0.5
      return (range.lowerBound + (range.upperBound - range.lowerBound) * part).rounded()
    }
  }

  /// The sound, and the least gain that the limiter had.
  func take(seconds: Double) throws -> Take {
    let bus = InstrumentBus(sampleRate: Rig.sampleRate)
    let handle = try entry.add(to: bus, seed: seed)
    handle.loudness = loudness
    let cues = cues.sorted { $0.frame < $1.frame }
    let count = Rig.frame(seconds)
    var take = Take(left: [], right: [], leastGain: 1)
    var samples = [Float](repeating: 0, count: 2 * blockFrames)
    var next = 0
    var start = 0
    while start < count {
      let frames = min(blockFrames, count - start)
      while next < cues.count, cues[next].frame < start + frames {
        let nanoseconds = (Double(cues[next].frame) / Rig.sampleRate * 1e9).rounded()
        cues[next].action(handle, HostTime(nanoseconds: Int64(nanoseconds)))
        next += 1
      }
      for index in samples.indices { samples[index] = 0 }
      samples.withUnsafeMutableBufferPointer { memory in
        var block = AudioBlock(
          output: UnsafeMutableBufferPointer(rebasing: memory[..<(2 * frames)]).mutableSpan,
          input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2, inputs: 0, frames: frames,
          sampleRate: Rig.sampleRate, position: Int64(start),
          time: HostTime(seconds: Double(start) / Rig.sampleRate))
        bus.render(&block)
      }
      for frame in 0..<frames {
        take.left.append(samples[2 * frame])
        take.right.append(samples[2 * frame + 1])
      }
      take.leastGain = min(take.leastGain, bus.limiting)
      start += frames
    }
    return take
  }
}

/// What a rig played.
struct Take: Equatable {
  var left: [Float]
  var right: [Float]
  var leastGain: Float

  /// The highest sample of both channels.
  var peak: Float { max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) }) }

  /// The first frame that is not silence.
  var onset: Int? { zip(left, right).enumerated().first { $1.0 != 0 || $1.1 != 0 }?.offset }

  /// The frame after the last that is not silence.
  var end: Int {
    var frame = left.count
    while frame > 0, left[frame - 1] == 0, right[frame - 1] == 0 { frame -= 1 }
    return frame
  }

  var isFinite: Bool { left.allSatisfy(\.isFinite) && right.allSatisfy(\.isFinite) }

  /// The level over some frames, in dB of full scale.
  func level(_ frames: Range<Int>) -> Double {
    let square = frames.reduce(0.0) { $0 + Double(left[$1] * left[$1] + right[$1] * right[$1]) / 2 }
    return 10 * square.logarithm(per: Double(frames.count))
  }

  /// The largest bend in the curve (second difference) within some frames: what a click makes large.
  func bend(_ frames: Range<Int>) -> Float {
    var most: Float = 0
    for frame in frames where frame >= 2 && frame < left.count {
      for side in [left, right] {
        most = max(most, abs(side[frame] - 2 * side[frame - 1] + side[frame - 2]))
      }
    }
    return most
  }
}
