/// How a simulated card behaves, as `?latency=43&burst=1024&ppm=100` says.
package struct SimulatedCard: Equatable, Sendable {
  /// How fast its clock runs, in parts per million; nil for the host's own clock.
  package var ppm: Int?
  /// Seconds from the callback to the ear; nil for two blocks, as a card with a double buffer has.
  package var latency: Double?
  /// Frames that it asks for at once, as a sound server does; nil for one block.
  package var burst: Int?

  package init(ppm: Int? = nil, latency: Double? = nil, burst: Int? = nil) {
    (self.ppm, self.latency, self.burst) = (ppm, latency, burst)
  }

  /// Whether blocks are rendered ahead of the ear, or several at once.
  package var hasQueue: Bool { latency != nil || burst != nil }

  /// Frames from the first block that it asks for to the ear.
  package func latencyFrames(_ format: AudioFormat, unsaid: Int) -> Int {
    latency.map { Int(($0 * format.sampleRate).rounded()) } ?? unsaid
  }

  /// Blocks that it asks for at once.
  package func burstBlocks(_ format: AudioFormat) -> Int {
    max(1, ((burst ?? 1) + format.blockFrames - 1) / format.blockFrames)
  }

  /// What keeps its pace, if that is not the host's clock.
  func crystal(_ format: AudioFormat) -> SimulatedOscillator? {
    ppm.map { SimulatedOscillator(ppm: $0, sampleRate: format.sampleRate) }
  }
}
