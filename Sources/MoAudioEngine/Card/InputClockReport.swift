/// How input from a clock of its own keeps up with playback.
package struct InputClockReport: Equatable {
  /// How much faster the input's clock runs than playback's, in parts per million.
  package var driftPPM = 0.0
  /// How often the place in the input, or what was known of a clock, was lost and found anew.
  package var resyncs = 0
  /// Frames of playback for which earlier input or silence stood in.
  package var repeatedFrames = 0
  /// Frames of input that were passed over.
  package var droppedFrames = 0

  package init(driftPPM: Double = 0, resyncs: Int = 0, repeatedFrames: Int = 0, droppedFrames: Int = 0) {
    (self.driftPPM, self.resyncs) = (driftPPM, resyncs)
    (self.repeatedFrames, self.droppedFrames) = (repeatedFrames, droppedFrames)
  }
}
