/// What a device really runs at, which may differ from what was asked for.
package struct AudioFormat: Equatable, Sendable {
  /// Frames a second.
  package var sampleRate: Double
  /// Frames in one block, 1 … 8192.
  package var blockFrames: Int
  /// Input channels, 0 … 64.
  package var inputs: Int
  /// Output channels, 0 … 64.
  package var outputs: Int

  package init(sampleRate: Double, blockFrames: Int, inputs: Int, outputs: Int) {
    self.sampleRate = sampleRate
    self.blockFrames = blockFrames
    self.inputs = inputs
    self.outputs = outputs
  }
}
