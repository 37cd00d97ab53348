import MoCore
import Testing

/// A simulated sound output for tests: its latency, its block size, and the number of blocks that it requests together.
package struct OutputPath: Sendable, CustomTestStringConvertible {
  /// The latency from a block to the ear, in milliseconds.
  package var milliseconds: Int
  package var blockFrames: Int
  /// The number of blocks that the output requests together (a burst).
  package var burst: Int

  package init(milliseconds: Int, blockFrames: Int, burst: Int = 1) {
    (self.milliseconds, self.blockFrames, self.burst) = (milliseconds, blockFrames, burst)
  }

  /// Returns the latency from a block to the ear, in frames.
  package func latency(sampleRate: Double = 48_000) -> Int { Int(Double(milliseconds) * sampleRate / 1000) }

  package var testDescription: String { "\(milliseconds) ms, \(burst) x \(blockFrames) frames" }

  /// The simulated sound output of the current test; nil for an output without latency.
  @TaskLocal package static var current: OutputPath?

  /// Simulated outputs without latency, and with the latency of a sound card, a sound server and a Bluetooth speaker.
  ///
  /// The blocks are small or large; some outputs request several blocks together.
  package static let all = [
    OutputPath(milliseconds: 0, blockFrames: 64, burst: 4), OutputPath(milliseconds: 16, blockFrames: 64),
    OutputPath(milliseconds: 16, blockFrames: 256, burst: 4), OutputPath(milliseconds: 50, blockFrames: 256),
    OutputPath(milliseconds: 50, blockFrames: 1024, burst: 4),
    OutputPath(milliseconds: 250, blockFrames: 64, burst: 4),
    OutputPath(milliseconds: 250, blockFrames: 1024),
  ]
}

/// Runs each test of a suite once without a simulated output, and once with each simulated output of `OutputPath.all`.
///
/// The helpers of the tests, such as `BeatRig`, render with the latency and the blocks of `OutputPath.current`.
package struct EveryOutputPath: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await function()
    guard testCase != nil else { return }
    for path in OutputPath.all {
      try await OutputPath.$current.withValue(path) { try await function() }
    }
  }
}

extension Trait where Self == EveryOutputPath {
  /// A trait that runs each test once without a simulated sound output, and once with each output of `OutputPath.all`.
  package static var everyOutputPath: EveryOutputPath { EveryOutputPath() }
}
