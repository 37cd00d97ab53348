import MoCore
import Testing

/// How a test's sound reaches the ear: how late, in which blocks, and how many of them at once.
package struct OutputPath: Sendable, CustomTestStringConvertible {
  /// Milliseconds from a block to the ear.
  package var milliseconds: Int
  package var blockFrames: Int
  /// Blocks that are asked for at once.
  package var burst: Int

  package init(milliseconds: Int, blockFrames: Int, burst: Int = 1) {
    (self.milliseconds, self.blockFrames, self.burst) = (milliseconds, blockFrames, burst)
  }

  /// Frames from a block to the ear.
  package func latency(sampleRate: Double = 48_000) -> Int { Int(Double(milliseconds) * sampleRate / 1000) }

  package var testDescription: String { "\(milliseconds) ms, \(burst) x \(blockFrames) frames" }

  /// A test's own path; nil if it is heard as it is rendered.
  @TaskLocal package static var current: OutputPath?

  /// No latency, a card's, a sound server's and a Bluetooth speaker's, each with small and large blocks and in bursts.
  package static let all = [
    OutputPath(milliseconds: 0, blockFrames: 64, burst: 4), OutputPath(milliseconds: 16, blockFrames: 64),
    OutputPath(milliseconds: 16, blockFrames: 256, burst: 4), OutputPath(milliseconds: 50, blockFrames: 256),
    OutputPath(milliseconds: 50, blockFrames: 1024, burst: 4),
    OutputPath(milliseconds: 250, blockFrames: 64, burst: 4),
    OutputPath(milliseconds: 250, blockFrames: 1024),
  ]
}

/// Runs each test of a suite once as it is, and once on each output path; its rigs read `OutputPath.current`.
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
  /// At every latency, block size and burst of `OutputPath.all`.
  package static var everyOutputPath: EveryOutputPath { EveryOutputPath() }
}
