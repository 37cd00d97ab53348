/// The behaviour of a simulated card, as set by `?latency=43&burst=1024&ppm=100`.
package struct SimulatedCard: Equatable, Sendable {
  /// The deviation of the card's clock, in parts per million; nil for the host's own clock.
  package var ppm: Int?
  /// Seconds from the callback to the ear; nil for two blocks, like a card with a double buffer.
  package var latency: Double?
  /// Frames that the card requests in one burst, like a sound server; nil for one block.
  package var burst: Int?

  package init(ppm: Int? = nil, latency: Double? = nil, burst: Int? = nil) {
    (self.ppm, self.latency, self.burst) = (ppm, latency, burst)
  }

  /// Whether blocks are rendered ahead of the ear, or several in one burst.
  package var hasQueue: Bool { latency != nil || burst != nil }

  /// Returns the frames from the card's first requested block to the ear; `unsaid` if no latency was set.
  package func latencyFrames(_ format: AudioFormat, unsaid: Int) -> Int {
    latency.map { Int(($0 * format.sampleRate).rounded()) } ?? unsaid
  }

  /// Returns the blocks that the card requests in one burst.
  package func burstBlocks(_ format: AudioFormat) -> Int {
    max(1, ((burst ?? 1) + format.blockFrames - 1) / format.blockFrames)
  }

  /// Returns the oscillator that sets the card's pace; nil for the host's clock.
  func crystal(_ format: AudioFormat) -> SimulatedOscillator? {
    ppm.map { SimulatedOscillator(ppm: $0, sampleRate: format.sampleRate) }
  }
}
