extension MoFFT {
  /// The frequency in the middle of a bin, in Hz.
  ///
  /// - Real-time safe: yes.
  public func frequency(ofBin bin: Int, sampleRate: Double) -> Double {
    Double(bin) * sampleRate / Double(size)
  }

  /// The bin nearest to a frequency in Hz, kept within the spectrum.
  ///
  /// - Real-time safe: yes.
  public func bin(nearest frequency: Double, sampleRate: Double) -> Int {
    Int(max(0, min(Double(size / 2), (frequency * Double(size) / sampleRate).rounded())))
  }

  /// The length of every bin.
  ///
  /// - Real-time safe: yes.
  public static func magnitudes(of bins: Span<Complex>, into magnitudes: inout MutableSpan<Float>) {
    precondition(magnitudes.count == bins.count, "there is room for as many magnitudes as bins")
    for k in bins.indices { magnitudes[k] = bins[k].magnitude }
  }

  /// The length of every bin.
  ///
  /// - Real-time safe: yes.
  public static func magnitudes(of bins: [Complex], into magnitudes: inout [Float]) {
    var magnitudes = magnitudes.mutableSpan
    Self.magnitudes(of: bins.span, into: &magnitudes)
  }

  /// The square of every bin's length.
  ///
  /// - Real-time safe: yes.
  public static func powers(of bins: Span<Complex>, into powers: inout MutableSpan<Float>) {
    precondition(powers.count == bins.count, "there is room for as many powers as bins")
    for k in bins.indices { powers[k] = bins[k].power }
  }

  /// The square of every bin's length.
  ///
  /// - Real-time safe: yes.
  public static func powers(of bins: [Complex], into powers: inout [Float]) {
    var powers = powers.mutableSpan
    Self.powers(of: bins.span, into: &powers)
  }

  /// The angle of every bin in radians, −π … π.
  ///
  /// - Real-time safe: yes.
  public static func phases(of bins: Span<Complex>, into phases: inout MutableSpan<Float>) {
    precondition(phases.count == bins.count, "there is room for as many phases as bins")
    for k in bins.indices { phases[k] = bins[k].phase }
  }

  /// The angle of every bin in radians, −π … π.
  ///
  /// - Real-time safe: yes.
  public static func phases(of bins: [Complex], into phases: inout [Float]) {
    var phases = phases.mutableSpan
    Self.phases(of: bins.span, into: &phases)
  }
}
