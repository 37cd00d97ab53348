import Glibc
import MoMu
import MoSessionCore
import MoTime

/// The terminal as a conductor's desk: it shows the room, and its keys conduct.
///
/// | key | does |
/// |---|---|
/// | space | starts the rhythm, or stops it |
/// | + − | five beats a minute faster or slower |
/// | b | takes the baton of a rhythm whose conductor has gone |
/// | m | the next meter: 4/4, 3/4, 7/8 |
/// | ! | silence, everywhere and at once |
public enum SessionDesk {
  /// Shows the room above the meter, and takes keys where there is a terminal.
  ///
  /// - Thread: the main thread, in the set-up.
  public static func open() {
    let run = Run.current
    run.picture.withLock { $0 = { SessionPicture.now() + "\n" + (DeskKeys.help + "\n") } }
    guard !run.isOffline, KeyboardTerminal.open() else { return }
    try? run.input.add(DeskKeys()) { _ in }
  }
}

/// The desk's keys, read from the terminal.
final class DeskKeys: InputSource {
  static let help = "space start/stop   + − tempo   m meter   b baton   ! silence   Ctrl-C leave"

  let name = "desk"
  var descriptor: Int32? { isOpen ? STDIN_FILENO : nil }
  let nextTime: HostTime? = nil
  private var isOpen = true

  func service(until now: HostTime) throws {
    var bytes = [UInt8](repeating: 0, count: 64)
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard isOpen, poll(&request, 1, 0) > 0 else { return }
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      isOpen = count < 0 && (errno == EINTR || errno == EAGAIN)
      return
    }
    for byte in bytes[..<count] {
      do {
        try Self.obey(Character(UnicodeScalar(byte)))
      } catch {
        MoLog.log(.notice, "\(error)")
      }
    }
  }

  /// Does what a key says.
  static func obey(_ key: Character) throws {
    let beat = MoSession.beat
    let now = Run.current.clock.now
    switch key {
    case " ": if beat.isPlaying(at: now) { try MoSession.stop(at: .beat) } else { try MoSession.start() }
    case "+", "=": try MoSession.setTempo((beat.tempo(at: now) ?? 120) + 5)
    case "-", "_": try MoSession.setTempo((beat.tempo(at: now) ?? 120) - 5)
    case "b": try MoSession.takeBaton()
    case "m": try MoSession.setMeter(next(after: beat.position(at: now)?.meter ?? .common))
    case "!": try MoSession.panic()
    default: break
    }
  }

  private static func next(after meter: Meter) -> Meter {
    let meters = [Meter.common, Meter(3, 4), Meter(7, 8)].compactMap { $0 }
    let place = meters.firstIndex(of: meter) ?? meters.count - 1
    return meters[(place + 1) % meters.count]
  }
}
