extension MoFFT {
  /// Returns the centre frequency of a bin, in Hz.
  ///
  /// - Real-time safe: yes.
  public func frequency(ofBin bin: Int, sampleRate: Double) -> Double {
    Double(bin) * sampleRate / Double(size)
  }

  /// Returns the index of the bin nearest to a frequency in Hz, clamped to 0 … size / 2.
  ///
  /// - Real-time safe: yes.
  public func bin(nearest frequency: Double, sampleRate: Double) -> Int {
    Int(max(0, min(Double(size / 2), (frequency * Double(size) / sampleRate).rounded())))
  }

  /// Computes the magnitude of every bin; `magnitudes` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func magnitudes(of bins: Span<Complex>, into magnitudes: inout MutableSpan<Float>) {
    read(bins, into: &magnitudes) { $0.magnitude }
  }

  /// Computes the magnitude of every bin; `magnitudes` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func magnitudes(of bins: [Complex], into magnitudes: inout [Float]) {
    var values = magnitudes.mutableSpan
    read(bins.span, into: &values) { $0.magnitude }
  }

  /// Computes the squared magnitude of every bin; `powers` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func powers(of bins: Span<Complex>, into powers: inout MutableSpan<Float>) {
    read(bins, into: &powers) { $0.power }
  }

  /// Computes the squared magnitude of every bin; `powers` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func powers(of bins: [Complex], into powers: inout [Float]) {
    var values = powers.mutableSpan
    read(bins.span, into: &values) { $0.power }
  }

  /// Computes the angle of every bin in radians, −π … π; `phases` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func phases(of bins: Span<Complex>, into phases: inout MutableSpan<Float>) {
    read(bins, into: &phases) { $0.phase }
  }

  /// Computes the angle of every bin in radians, −π … π; `phases` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func phases(of bins: [Complex], into phases: inout [Float]) {
    var values = phases.mutableSpan
    read(bins.span, into: &values) { $0.phase }
  }

  @inline(__always)
  private static func read(
    _ bins: Span<Complex>, into values: inout MutableSpan<Float>, _ part: (Complex) -> Float
  ) {
    precondition(values.count == bins.count, "the output must have room for a value for each bin")
    for k in bins.indices { values[k] = part(bins[k]) }
  }
}
