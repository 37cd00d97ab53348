/// The sounds of the synthesised kit.
///
/// A `DrumBoard` stores the raw value of a sound, so add new sounds at the end.
@frozen
public enum DrumSound: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// The bass drum: keys 35 and 36 of General MIDI.
  case kick
  /// The snare drum: keys 38 and 40.
  case snare
  /// The closed hi-hat: keys 42 and 44.
  case closedHat
  /// The open hi-hat: key 46.
  case openHat
  /// The hand clap: key 39.
  case clap
  /// The low tom: keys 41, 43 and 45.
  case lowTom
  /// The high tom: keys 47, 48 and 50.
  case highTom
  /// The cowbell: key 56.
  case cowbell
  /// The strike on the rim: key 37.
  case rim
  /// The crash cymbal: keys 49, 51, 52, 55, 57 and 59.
  case crash

  /// The name of the sound, such as `open-hat`, to type and to use in files.
  public var name: String {
    switch self {
    case .kick: "kick"
    case .snare: "snare"
    case .closedHat: "hat"
    case .openHat: "open-hat"
    case .clap: "clap"
    case .lowTom: "low-tom"
    case .highTom: "high-tom"
    case .cowbell: "cowbell"
    case .rim: "rim"
    case .crash: "crash"
    }
  }

  /// Creates the sound with a name, such as `open-hat`; nil if no sound has this name.
  public init?(name: String) {
    for sound in DrumSound.allCases where sound.name == name {
      self = sound
      return
    }
    return nil
  }

  /// The key in General MIDI's percussion map.
  var key: UInt8 {
    switch self {
    case .kick: 36
    case .snare: 38
    case .closedHat: 42
    case .openHat: 46
    case .clap: 39
    case .lowTom: 45
    case .highTom: 50
    case .cowbell: 56
    case .rim: 37
    case .crash: 49
    }
  }

  /// Returns the default sound of a row; the sounds repeat from row 10 on.
  static func usual(row: Int) -> DrumSound {
    let order: [DrumSound] = [
      .kick, .snare, .closedHat, .openHat, .clap, .lowTom, .highTom, .cowbell, .rim, .crash,
    ]
    return order[row % order.count]
  }

  /// Creates the sound of a key in the General MIDI percussion map; NaN counts as the kick, key 36.
  ///
  /// The map covers most keys from 35 to 59. Any other key plays the sound with the raw value `key % 10`.
  ///
  /// - Source: General MIDI System Level 1, MIDI Manufacturers Association (1991).
  /// - Real-time safe: yes.
  public init(note: Float) {
    let key = note.isNaN ? 36 : Int(max(0, min(note, 127)).rounded())
    switch key {
    case 35, 36: self = .kick
    case 37: self = .rim
    case 38, 40: self = .snare
    case 39: self = .clap
    case 42, 44: self = .closedHat
    case 46: self = .openHat
    case 41, 43, 45: self = .lowTom
    case 47, 48, 50: self = .highTom
    case 49, 51, 52, 55, 57, 59: self = .crash
    case 56: self = .cowbell
    default: self = DrumSound(rawValue: key % 10) ?? .kick
    }
  }
}
