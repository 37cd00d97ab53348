import Glibc

/// A burst that any loudspeaker plays and that is found again in a noisy room: a sine that glides from 1 to 7 kHz.
///
/// Squeezed by its matched filter it is a pulse 0.3 ms wide, 27 dB above noise that was as loud. The Hann window keeps
/// that pulse's skirts more than 30 dB down, so that nothing before a first arrival looks like an earlier one.
///
/// - Source: J. R. Klauder and others, *The theory and design of chirp radars*, Bell System Technical Journal 39
///   (1960).
struct Chirp {
  /// What is played, within ±1; a multiple of eight frames.
  let samples: [Float]
  /// The same a quarter of a turn on: with both, a delay is found whatever phase the way has turned.
  let quadrature: [Float]

  private static let seconds = 0.085
  private static let lowest = 1_000.0
  private static let highest = 7_000.0

  init(sampleRate: Double) {
    let frames = Int(Self.seconds * sampleRate / 8) * 8
    // A device of few frames a second has no room for the highest tones.
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
