import Glibc

/// The sound that is played to measure a delay: clicks at known frames, with silence between them.
struct ClickScore {
  let chirp: Chirp
  /// The first frame of each click.
  let onsets: [Int]
  /// The samples to play, within ±1.
  let samples: [Float]
  /// The longest delay that can be found, in frames.
  let longestDelay: Int

  /// The silence before the first click, in seconds; in this time, the card's clock settles and the room's noise is
  /// recorded.
  private static let lead = 1.0
  private static let longest = 0.75
  private static let level: Float = 0.5

  /// - Parameters:
  ///   - clicks: the number of clicks, at least 1.
  ///   - sampleRate: the device's sample rate, in Hz.
  init(clicks: Int, sampleRate: Double) {
    let chirp = Chirp(sampleRate: sampleRate)
    let longest = Int(Self.longest * sampleRate)
    var samples = [Float](repeating: 0, count: Int(Self.lead * sampleRate))
    var onsets: [Int] = []
    for click in 0..<clicks {
      onsets.append(samples.count)
      samples += chirp.samples.map { Self.level * $0 }
      // The pauses differ: with equal pauses, a delay longer than a pause would look like a shorter one at each click.
      let pause = Double(longest) + sampleRate * 0.013 * Double(1 + click * 7 % 11)
      samples += [Float](repeating: 0, count: Int(pause))
    }
    (self.chirp, self.onsets, self.samples, longestDelay) = (chirp, onsets, samples, longest)
  }
}

/// A burst that any loudspeaker can play and that can be found in noise: a sine that glides from 1 to 7 kHz.
///
/// A matched filter for the chirp compresses it to a pulse of 0.3 ms, 27 dB above noise of the same level. The Hann
/// window keeps the pulse's side lobes more than 30 dB down, so that they do not look like an earlier arrival.
///
/// - Source: J. R. Klauder and others, *The theory and design of chirp radars*, Bell System Technical Journal 39
///   (1960).
struct Chirp {
  /// The samples to play, within ±1.
  let samples: [Float]
  /// The same chirp with its phase shifted by 90°.
  ///
  /// With both forms, the matched filter finds the chirp at any phase shift between the loudspeaker and the microphone.
  let quadrature: [Float]

  private static let seconds = 0.085
  private static let lowest = 1_000.0
  private static let highest = 7_000.0

  init(sampleRate: Double) {
    let frames = Int(Self.seconds * sampleRate)
    // At a low sample rate, stay below the Nyquist frequency.
    let highest = min(Self.highest, 0.4 * sampleRate)
    var (samples, quadrature) = ([Float](), [Float]())
    for frame in 0..<frames {
      let part = Double(frame) / Double(frames)
      let time = Double(frame) / sampleRate
      let phase = 2 * Double.pi * time * (Self.lowest + (highest - Self.lowest) * part / 2)
      let window = sin(.pi * part) * sin(.pi * part)
      samples.append(Float(window * cos(phase)))
      quadrature.append(Float(window * sin(phase)))
    }
    (self.samples, self.quadrature) = (samples, quadrature)
  }

  var frames: Int { samples.count }
}
