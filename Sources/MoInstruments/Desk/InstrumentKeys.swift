import CMoSystem
import Glibc
import MoMu

/// What a key of the desk does.
enum DeskKey: Equatable {
  case note(Int)
  case octave(Int)
  case stroke
  case choose(Int)
  case turn(Int)
  case first
  case loop
  case off

  /// The keys of some bytes from a terminal, in order; what is no key of the desk's is left out.
  static func keys(_ bytes: some Sequence<UInt8>) -> [DeskKey] {
    var keys: [DeskKey] = []
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
  private static func arrow(_ character: Character) -> DeskKey? {
    switch character {
    case "A": .choose(-1)
    case "B": .choose(1)
    case "C": .turn(1)
    case "D": .turn(-1)
    default: nil
    }
  }

  private static func plain(_ character: Character) -> DeskKey? {
    switch character {
    case " ": .stroke
    case "z": .octave(-1)
    case "x": .octave(1)
    case "0": .first
    case "!": .off
    case "r": .loop
    default: Array("awsedftgyhujk").firstIndex(of: character).map { .note($0) }
    }
  }
}

/// The desk's keys, read from the terminal.
final class InstrumentKeys: InputSource {
  let name = "instrument"
  var descriptor: Int32? { isOpen ? STDIN_FILENO : nil }
  let nextTime: HostTime? = nil
  private let desk: DeskState
  private var isOpen = true

  init(_ desk: DeskState) { self.desk = desk }

  func service(until now: HostTime) {
    var bytes = [UInt8](repeating: 0, count: 64)
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard isOpen, poll(&request, 1, 0) > 0 else { return }
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      isOpen = count < 0 && (errno == EINTR || errno == EAGAIN)
      return
    }
    for key in DeskKey.keys(bytes[..<count]) { desk.obey(key, at: now) }
  }
}
