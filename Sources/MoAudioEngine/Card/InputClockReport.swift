/// A report of how input with its own clock keeps up with playback.
package struct InputClockReport: Equatable {
  /// The deviation of the input clock's rate from playback's, in parts per million; negative for a slower input.
  package var driftPPM = 0.0
  /// The number of resynchronisations: the read position in the input jumped, or the rate of a clock was learned anew.
  package var resyncs = 0
  /// The number of playback frames that were filled with earlier input or silence.
  package var repeatedFrames = 0
  /// The number of input frames that were skipped.
  package var droppedFrames = 0

  package init(driftPPM: Double = 0, resyncs: Int = 0, repeatedFrames: Int = 0, droppedFrames: Int = 0) {
    (self.driftPPM, self.resyncs) = (driftPPM, resyncs)
    (self.repeatedFrames, self.droppedFrames) = (repeatedFrames, droppedFrames)
  }
}
