import Glibc
import MoMu
import MoTime

/// What a key of the computer does at the piano.
enum PianoKey: Equatable {
  case letter(Character, isLoud: Bool)
  case move(Int)
  case widen(Int)
  case pedal
  case silence

  /// The keys of some bytes from a terminal, in order; what is no key of the piano's is left out.
  static func keys(_ bytes: some Sequence<UInt8>) -> [PianoKey] {
    var keys: [PianoKey] = []
    var escape = 0
    for byte in bytes {
      let character = Character(UnicodeScalar(byte))
      switch (escape, character) {
      case (0, "\u{1B}"), (1, "["), (1, "O"): escape += 1
      case (2, _):
        if let key = arrow(character) { keys.append(key) }
        escape = 0
      default:
        escape = 0
        if let key = plain(character) { keys.append(key) }
      }
    }
    return keys
  }

  /// After ESC [ or ESC O.
  private static func arrow(_ character: Character) -> PianoKey? {
    switch character {
    case "A": .widen(1)
    case "B": .widen(-1)
    case "C": .move(1)
    case "D": .move(-1)
    default: nil
    }
  }

  /// Digits with Shift as on the keyboards of the United States; "!" is silence instead, and no note's digit is 1.
  private static let shifted: [Character: Character] = [
    "@": "2", "#": "3", "%": "5", "^": "6", "&": "7", "<": ",",
  ]

  private static func plain(_ character: Character) -> PianoKey? {
    switch character {
    case " ": return .pedal
    case "!": return .silence
    default: break
    }
    if let digit = shifted[character] { return .letter(digit, isLoud: true) }
    let small = Character(character.lowercased())
    guard PianoRange.lowerRow.contains(small) || PianoRange.upperRow.contains(small) else { return nil }
    return .letter(small, isLoud: small != character)
  }
}

/// The piano's keys, read from the terminal; until the first, and where there is none, a tune plays.
final class PianoKeys: InputSource {
  let name = "piano"
  var descriptor: Int32? { isOpen ? terminal : nil }
  private let desk: PianoDeskState
  private let terminal: Int32?
  private var isOpen = true
  private var tune: PianoTune?

  init(_ desk: PianoDeskState, descriptor: Int32?, start: HostTime) {
    self.desk = desk
    terminal = descriptor
    tune = PianoTune(start: start)
  }

  var nextTime: HostTime? { tune?.next }

  func service(until now: HostTime) {
    let keys = PianoKey.keys(typed())
    if !keys.isEmpty { tune = nil }
    for key in keys { desk.obey(key, at: now) }
    while let time = tune?.next, time <= now, let note = tune?.take() {
      desk.play(note, velocity: 0.55, for: .milliseconds(900), at: time)
    }
  }

  private func typed() -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 64)
    guard let descriptor else { return [] }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return [] }
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      isOpen = count < 0 && (errno == EINTR || errno == EAGAIN)
      return []
    }
    return bytes[..<count]
  }
}

/// What the piano plays by itself: broken chords, over and over.
struct PianoTune {
  /// C, A minor, D minor seventh, G seventh: from the lowest note up.
  private static let chords = [
    [48, 60, 64, 67, 72], [45, 60, 64, 69, 72], [50, 57, 60, 65, 69], [43, 59, 62, 65, 71],
  ]
  private static let order = [0, 1, 2, 3, 4, 3, 2, 1]
  private static let step = Duration.milliseconds(250)

  /// When the next note is due.
  private(set) var next: HostTime
  private var count = 0

  init(start: HostTime) { next = start + PianoTune.step }

  /// The note that is due, and on to the one after it.
  mutating func take() -> Int {
    defer {
      count += 1
      next = next + PianoTune.step
    }
    let chord = PianoTune.chords[count / 8 % PianoTune.chords.count]
    return chord[PianoTune.order[count % 8]]
  }
}
