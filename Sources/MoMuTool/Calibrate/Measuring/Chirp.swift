import Glibc

/// A burst that any loudspeaker can play and that can be found in noise: a sine that glides from 1 to 7 kHz.
///
/// A matched filter for the chirp compresses it to a pulse of 0.3 ms, 27 dB above noise of the same level. The Hann
/// window keeps the pulse's side lobes more than 30 dB down, so that they do not look like an earlier arrival.
///
/// - Source: J. R. Klauder and others, *The theory and design of chirp radars*, Bell System Technical Journal 39
///   (1960).
struct Chirp {
  /// The samples to play, within ±1; their number is a multiple of eight.
  let samples: [Float]
  /// The same chirp with its phase shifted by 90°.
  ///
  /// With both forms, the matched filter finds the chirp at any phase shift between the loudspeaker and the microphone.
  let quadrature: [Float]

  private static let seconds = 0.085
  private static let lowest = 1_000.0
  private static let highest = 7_000.0

  init(sampleRate: Double) {
    let frames = Int(Self.seconds * sampleRate / 8) * 8
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
