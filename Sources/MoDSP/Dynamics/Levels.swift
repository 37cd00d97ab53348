extension MoFun {
  /// Returns the root mean square of a block; 0 for an empty block.
  ///
  /// - Real-time safe: yes.
  @inlinable
  public static func rms(_ samples: Span<Float>) -> Float {
    guard !samples.isEmpty else { return 0 }
    var sum = 0.0
    for index in samples.indices {
      sum += Double(samples[unchecked: index]) * Double(samples[unchecked: index])
    }
    return Float((sum / Double(samples.count)).squareRoot())
  }

  /// Returns the largest magnitude in a block; 0 for an empty block.
  ///
  /// - Real-time safe: yes.
  @inlinable
  public static func peak(_ samples: Span<Float>) -> Float {
    var peak: Float = 0
    for index in samples.indices { peak = max(peak, abs(samples[unchecked: index])) }
    return peak
  }
}
