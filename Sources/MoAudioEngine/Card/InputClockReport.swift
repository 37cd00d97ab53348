/// A report of how input with its own clock keeps up with playback.
package struct InputClockReport: Equatable {
  /// The deviation of the input clock's rate from playback's, in parts per million; negative for a slower input.
  package var driftPPM = 0.0
  /// The number of times that the position in the input, or the state of a clock, was lost and found again.
  package var resyncs = 0
  /// Frames of playback that were filled with earlier input or silence.
  package var repeatedFrames = 0
  /// Frames of input that were skipped.
  package var droppedFrames = 0

  package init(driftPPM: Double = 0, resyncs: Int = 0, repeatedFrames: Int = 0, droppedFrames: Int = 0) {
    (self.driftPPM, self.resyncs) = (driftPPM, resyncs)
    (self.repeatedFrames, self.droppedFrames) = (repeatedFrames, droppedFrames)
  }
}
