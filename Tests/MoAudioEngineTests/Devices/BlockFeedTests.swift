import MoAudioEngine
import MoCore
import Testing

/// A server with the periods of a test, and a program that plays the frame's number and records a ramp.
@Suite("Blocks for a server's periods")
struct BlockFeedTests {
  private struct Run {
    var output: [[Float]] = [[], []]
    var input: [Float] = []
    var inputTimes: [(frame: Float, time: HostTime?)] = []
    var positions: [CardPosition] = []
    var turns: [Int] = []
  }

  private func run(_ periods: [Int], block: Int, inputs: Int = 0, latency: Int = 100) -> Run {
    let feed = BlockFeed(
      format: AudioFormat(sampleRate: 1000, blockFrames: block, inputs: inputs, outputs: 2))
    feed.begin()
    var run = Run()
    var asked = 0
    for period in periods {
      var left = [Float](repeating: 9, count: period)
      var right = left
      var ramp = (0..<period).map { Float(asked + $0) }
      let time = HostTime(nanoseconds: Int64(asked) * 1_000_000)
      var turns = 0
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          ramp.withUnsafeMutableBufferPointer { ramp in
            var outputs = [left.baseAddress, right.baseAddress]
            var inputPorts = [ramp.baseAddress]
            feed.exchange(
              frames: period, at: time, latency: latency, inputLatency: 10, inputs: &inputPorts,
              outputs: &outputs
            ) { state in
              turns += 1
              guard case .ready(let position?) = state else { return }
              run.positions.append(position)
              if inputs > 0 {
                var heard = [Float](repeating: -1, count: block)
                heard.withUnsafeMutableBufferPointer { _ = feed.read($0) }
                run.input += heard
                run.inputTimes.append((heard[0], feed.inputTime))
              }
              let first = Float(feed.written)
              let samples = (0..<block).flatMap { [first + Float($0), -first - Float($0)] }
              samples.withUnsafeBufferPointer { _ = feed.write($0) }
            }
          }
        }
      }
      run.turns.append(turns)
      run.output[0] += left
      run.output[1] += right
      asked += period
    }
    return run
  }

  static let cases: [(periods: [Int], block: Int)] = [
    (Array(repeating: 256, count: 8), 256), (Array(repeating: 1024, count: 4), 256),
    (Array(repeating: 64, count: 32), 256), (Array(repeating: 441, count: 9), 256),
    (Array(repeating: 256, count: 9), 441), ([64, 1024, 256, 7, 1, 2048, 300], 256), ([8192, 8192], 8192),
  ]

  @Test("play every frame once, in order, on both channels, for any periods", arguments: cases)
  func output(_ periods: [Int], _ block: Int) {
    let run = run(periods, block: block)
    let all = periods.reduce(0, +)
    #expect(run.output[0] == (0..<all).map { Float($0) })
    #expect(run.output[1] == (0..<all).map { -Float($0) })
  }

  @Test("report the frame that is heard at the start of the period", arguments: cases)
  func position(_ periods: [Int], _ block: Int) {
    // Frame n of the output is requested at n ms here, and heard 100 ms later.
    for position in run(periods, block: block).positions {
      #expect(position.frame == position.time.nanoseconds / 1_000_000 - 100)
    }
  }

  @Test("call once for a period of the block's length, and several times for a longer one")
  func turns() {
    #expect(run([256, 256], block: 256).turns == [1, 1])
    #expect(run([1024], block: 256).turns == [4])
    #expect(run([64, 64, 64, 64, 64], block: 256).turns == [1, 0, 0, 0, 1])
  }

  @Test(
    "pass input without a gap and with its time, after less than a block of silence",
    arguments: cases.filter { Set($0.periods).count == 1 })
  func input(_ periods: [Int], _ block: Int) {
    let run = run(periods, block: block, inputs: 1)
    // The frame with the number 0 also belongs to the ramp: silence precedes it.
    let start = run.input.lastIndex(of: 0) ?? 0
    #expect(start < block)
    #expect(run.input[start...].elementsEqual((0..<(run.input.count - start)).map { Float($0) }))
    // Frame n reached the microphone 10 ms before it was passed on.
    for (frame, time) in run.inputTimes where frame > 0 {
      #expect(time == HostTime(nanoseconds: (Int64(frame) - 10) * 1_000_000))
    }
  }

  @Test("pass input in its own period if the lengths divide")
  func direct() {
    #expect(run([256, 256], block: 256, inputs: 1).input == (0..<512).map { Float($0) })
    #expect(run([1024], block: 256, inputs: 1).input == (0..<1024).map { Float($0) })
  }
}
