import Glibc
import MoCore
import MoDSP
import MoInstruments

/// A renderer of an instrument on a bus of its own, without a device, with events at given frames.
///
/// ```swift
/// var render = InstrumentRender(Bell.self)
/// render.note(69, from: 0, to: 24_000)
/// #expect(try render.take(seconds: 1).peak > 0.1)
/// ```
public struct InstrumentRender {
  /// The sample rate, in frames per second.
  public static let sampleRate = 48_000.0

  /// An action at a frame.
  struct Cue {
    var frame: Int
    var action: (InstrumentHandle, HostTime) -> Void
  }

  /// The rendered instrument.
  public let entry: InstrumentFactory
  var cues: [Cue] = []
  /// The seed of all random numbers of the instrument.
  public var seed: UInt64 = 1
  /// The loudness of the instrument, 0 … 1.
  public var loudness: Float = 0.8
  /// The number of frames per block.
  public var blockFrames = 256

  /// Creates a render for an entry of the catalogue `Instruments`.
  public init(_ entry: InstrumentFactory) { self.entry = entry }

  /// Creates a render for an instrument type.
  public init<Sound: Instrument>(_ kind: Sound.Type) { entry = InstrumentFactory(kind) }

  /// Returns the number of the frame at a time in seconds.
  public static func frame(_ seconds: Double) -> Int { Int(seconds * sampleRate) }

  /// Adds an action; when the frame is due, `take` calls it with the instrument's handle and the time of the frame.
  public mutating func at(_ frame: Int, _ action: @escaping (InstrumentHandle, HostTime) -> Void) {
    cues.append(Cue(frame: frame, action: action))
  }

  /// Adds an event that the instrument receives at a frame.
  public mutating func send(_ event: InstrumentEvent, at frame: Int) { at(frame) { $0.send(event, at: $1) } }

  /// Adds a note from one frame to another; if `end` is nil, the note is not released.
  public mutating func note(_ pitch: Float, velocity: Float = 0.8, from frame: Int, to end: Int? = nil) {
    send(.noteOn(Note(pitch, velocity: velocity)), at: frame)
    if let end { send(.noteOff(Note(pitch, velocity: 0.5)), at: end) }
  }

  /// Adds a change of a parameter at a frame.
  public mutating func set(_ name: String, to value: Float, at frame: Int) {
    at(frame) { handle, time in _ = try? handle.set(name, to: value, at: time) }
  }

  /// The pitch in the middle of the instrument's range; 60 if its sheet gives no range.
  public var middle: Float { entry.sheet.plays.map { (($0.lowerBound + $0.upperBound) / 2).rounded() } ?? 60 }

  /// Returns the given number of pitches, spread evenly over the instrument's range; 36…84 if its sheet gives no range.
  public func pitches(_ count: Int) -> [Float] {
    let range = entry.sheet.plays ?? 36...84
    return (0..<count).map { index in
      let part = count > 1 ? Float(index) / Float(count - 1) : 0.5
      return (range.lowerBound + (range.upperBound - range.lowerBound) * part).rounded()
    }
  }

  /// Renders the given seconds of sound; returns the sound, and the lowest gain of the bus's limiter.
  ///
  /// - Throws: `InstrumentError`, and the errors of the instrument.
  public func take(seconds: Double) throws -> Take {
    // No look-ahead, so that frames are counted before the limiter.
    let bus = InstrumentBus(sampleRate: InstrumentRender.sampleRate, lookAhead: 0)
    let handle = try entry.add(to: bus, seed: seed)
    handle.loudness = loudness
    let cues = cues.sorted { $0.frame < $1.frame }
    let count = InstrumentRender.frame(seconds)
    var take = Take(left: [], right: [], leastGain: 1)
    var samples = [Float](repeating: 0, count: 2 * blockFrames)
    var next = 0
    var start = 0
    while start < count {
      let frames = min(blockFrames, count - start)
      while next < cues.count, cues[next].frame < start + frames {
        let nanoseconds = (Double(cues[next].frame) / InstrumentRender.sampleRate * 1e9).rounded()
        cues[next].action(handle, HostTime(nanoseconds: Int64(nanoseconds)))
        next += 1
      }
      for index in samples.indices { samples[index] = 0 }
      samples.withUnsafeMutableBufferPointer { memory in
        var block = AudioBlock(
          output: UnsafeMutableBufferPointer(rebasing: memory[..<(2 * frames)]).mutableSpan,
          input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2, inputs: 0, frames: frames,
          sampleRate: InstrumentRender.sampleRate, position: Int64(start),
          time: HostTime(seconds: Double(start) / InstrumentRender.sampleRate))
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

/// The recorded output of an `InstrumentRender`.
public struct Take: Equatable {
  /// The left channel.
  public var left: [Float]
  /// The right channel.
  public var right: [Float]
  /// The lowest gain of the bus's limiter; 1 if the limiter did not reduce the sound.
  public var leastGain: Float

  /// The largest magnitude of a sample in both channels.
  public var peak: Float { max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) }) }

  /// The number of the first frame that is not silent; nil if all frames are silent.
  public var onset: Int? { zip(left, right).enumerated().first { $1.0 != 0 || $1.1 != 0 }?.offset }

  /// The number of the frame after the last frame that is not silent; 0 if all frames are silent.
  public var end: Int {
    var frame = left.count
    while frame > 0, left[frame - 1] == 0, right[frame - 1] == 0 { frame -= 1 }
    return frame
  }

  /// Whether no sample is NaN or infinite.
  public var isFinite: Bool { left.allSatisfy(\.isFinite) && right.allSatisfy(\.isFinite) }

  /// Returns the mean level of both channels over a range of frames, in dBFS.
  public func level(_ frames: Range<Int>) -> Double {
    let square = frames.reduce(0.0) { $0 + Double(left[$1] * left[$1] + right[$1] * right[$1]) / 2 }
    return 10 * square.logarithm(per: Double(frames.count))
  }

  /// Returns the largest second difference of the samples in a range of frames; a click makes the result large.
  ///
  /// The second difference at a sample x[n] is x[n] − 2·x[n−1] + x[n−2].
  public func bend(_ frames: Range<Int>) -> Float {
    var most: Float = 0
    for frame in frames where frame >= 2 && frame < left.count {
      for side in [left, right] {
        most = max(most, abs(side[frame] - 2 * side[frame - 1] + side[frame - 2]))
      }
    }
    return most
  }
}
