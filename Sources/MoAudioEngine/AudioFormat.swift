/// The sample rate, the block length and the numbers of channels of a device.
///
/// The format at which a device runs may differ from the requested format.
package struct AudioFormat: Equatable, Sendable {
  /// Frames per second.
  package var sampleRate: Double
  /// Frames per block, 1 … 8192.
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
