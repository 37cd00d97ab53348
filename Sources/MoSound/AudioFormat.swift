/// What a device really runs at, which may differ from what was asked for.
package struct AudioFormat: Equatable, Sendable {
  /// Frames a second.
  var sampleRate: Double
  /// Frames in one block, 1 … 8192.
  package var blockFrames: Int
  /// Input channels, 0 … 64.
  var inputs: Int
  /// Output channels, 0 … 64.
  var outputs: Int
}
