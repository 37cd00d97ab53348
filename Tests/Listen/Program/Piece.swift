/// Frames a second of everything that is listened to.
let rate = 48_000.0

/// Something to listen to, the same on every run.
struct Piece: Sendable {
  let name: String
  /// What is heard, and what to listen for.
  let about: String
  let seconds: Double
  /// What the page would call wrong, and is meant here: click, dc, clip.
  let expects: [String]
  /// When something new must be heard, and from when on it may only die away, in seconds.
  let onsets: [Double]
  let rest: Double?
  /// All frames, interleaved.
  let samples: @Sendable () -> [Float]

  /// A player that is asked once a frame, with the time in seconds.
  init(
    _ name: String, _ about: String, seconds: Double = 3, expects: [String] = [],
    player: @escaping @Sendable () -> (_ time: Double) -> SIMD2<Float>
  ) {
    self.init(name, about, seconds: seconds, expects: expects) {
      let player = player()
      return (0..<Int(seconds * rate)).flatMap { frame in
        let sound = player(Double(frame) / rate)
        return [sound.x, sound.y]
      }
    }
  }

  /// Something that is rendered as a whole.
  init(
    _ name: String, _ about: String, seconds: Double, expects: [String] = [], onsets: [Double] = [],
    rest: Double? = nil, samples: @escaping @Sendable () -> [Float]
  ) {
    (self.name, self.about, self.seconds, self.expects) = (name, about, seconds, expects)
    (self.onsets, self.rest, self.samples) = (onsets, rest, samples)
  }

  /// The same on both sides.
  static func mono(
    _ name: String, _ about: String, seconds: Double = 3, expects: [String] = [],
    player: @escaping @Sendable () -> (_ time: Double) -> Float
  ) -> Piece {
    Piece(name, about, seconds: seconds, expects: expects) {
      let player = player()
      return { time in SIMD2(repeating: player(time)) }
    }
  }

  /// What has no end of its own: at a fourth of full scale, and faded in and out.
  static func endless(
    _ name: String, _ about: String, seconds: Double = 3, gain: Float = 0.25, expects: [String] = [],
    player: @escaping @Sendable () -> (_ time: Double) -> Float
  ) -> Piece {
    mono(name, about, seconds: seconds, expects: expects) {
      let player = player()
      return { time in
        gain * Float(max(0, min(1, min(time / 0.02, (seconds - 0.1 - time) / 0.05)))) * player(time)
      }
    }
  }
}
