import MoInstruments
import MoOrchestra
import MoTime

/// What `RoomDesk` opens.
///
/// - Thread: keys come one at a time, on the input thread.
final class RoomFront: Desk {
  /// Members that have room beside all else on 24 lines.
  static let mostMembers = 12
  private static let keys = "Enter start/stop  + − tempo  m meter  b baton  C check  ! silence  Ctrl-C leaves"
  /// Those that conduct, beside Enter.
  private static let conducting = Set("+=-_bm!JC123456789")

  private let session = SessionDesk()
  private let help: String
  private let lines: @Sendable () -> String
  private let obey: @Sendable (Character, HostTime) throws -> Void

  init(
    _ help: String, _ lines: @escaping @Sendable () -> String,
    _ obey: @escaping @Sendable (Character, HostTime) throws -> Void
  ) { (self.help, self.lines, self.obey) = (help, lines, obey) }

  package func picture(at now: HostTime) -> String {
    let own = lines()
    let text =
      SessionPicture.now(most: Self.mostMembers) + (own.isEmpty ? "" : own + "\n") + help + "\n" + Self.keys
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.prefix(RoomLine.columns)) + "\n" }.joined()
  }

  package func take(_ key: TerminalKey, at now: HostTime) {
    guard !RoomKeys.take(key, at: now), case .character(let letter) = key else { return }
    if Self.conducting.contains(letter) { session.take(key, at: now) } else { type(letter, at: now) }
  }

  func type(_ letter: Character, at now: HostTime) {
    do { try obey(letter, now) } catch { MoLog.log(.notice, "\(error)") }
  }
}

/// Types at a desk where nobody can, and nobody else is there to be disturbed.
final class PlayingByItself: InputSource {
  let name = "playing by itself"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let desk: RoomFront
  private let tune: [Character]
  private var place = 0

  private static let pause = 0.5

  init(_ desk: RoomFront, _ tune: String, from now: HostTime) {
    (self.desk, self.tune) = (desk, Array(tune))
    nextTime = now.advanced(bySeconds: Self.pause)
  }

  func service(until now: HostTime) {
    guard let time = nextTime, time <= now else { return }
    nextTime = time.advanced(bySeconds: Self.pause)
    guard MoSession.members.count < 2 else { return }
    desk.type(tune[place % tune.count], at: time)
    place += 1
  }
}
