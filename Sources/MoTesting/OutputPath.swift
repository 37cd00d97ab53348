import MoCore
import Testing

/// The output path of a test's sound: its latency, its block size, and the blocks per burst.
package struct OutputPath: Sendable, CustomTestStringConvertible {
  /// The latency from a block to the ear, in milliseconds.
  package var milliseconds: Int
  package var blockFrames: Int
  /// The number of blocks that are requested together.
  package var burst: Int

  package init(milliseconds: Int, blockFrames: Int, burst: Int = 1) {
    (self.milliseconds, self.blockFrames, self.burst) = (milliseconds, blockFrames, burst)
  }

  /// Returns the latency from a block to the ear, in frames.
  package func latency(sampleRate: Double = 48_000) -> Int { Int(Double(milliseconds) * sampleRate / 1000) }

  package var testDescription: String { "\(milliseconds) ms, \(burst) x \(blockFrames) frames" }

  /// The output path of the current test; nil for no latency.
  @TaskLocal package static var current: OutputPath?

  /// Paths without latency, and with the latency of a sound card, a sound server and a Bluetooth speaker.
  ///
  /// The blocks are small or large; on some paths, several blocks are requested together.
  package static let all = [
    OutputPath(milliseconds: 0, blockFrames: 64, burst: 4), OutputPath(milliseconds: 16, blockFrames: 64),
    OutputPath(milliseconds: 16, blockFrames: 256, burst: 4), OutputPath(milliseconds: 50, blockFrames: 256),
    OutputPath(milliseconds: 50, blockFrames: 1024, burst: 4),
    OutputPath(milliseconds: 250, blockFrames: 64, burst: 4),
    OutputPath(milliseconds: 250, blockFrames: 1024),
  ]
}

/// Runs each test of a suite once without an output path, and once with each output path in `OutputPath.all`.
///
/// `Rig` renders with the latency and the blocks of `OutputPath.current`.
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
  /// A trait that runs each test once unchanged, and once on each output path of `OutputPath.all`.
  package static var everyOutputPath: EveryOutputPath { EveryOutputPath() }
}
