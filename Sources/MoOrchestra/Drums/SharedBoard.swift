import MoCore
import MoInstruments
import MoSessionCore

/// A drum board that follows the room's pattern, as soon as the room's pattern is known.
package final class SharedBoard: EventTimer, @unchecked Sendable {
  // Unchecked: the servicing thread owns the settled state; `end` is called after the last service.
  package let name = "shared drums"
  package private(set) var nextTime: HostTime?
  private let board: DrumBoard
  private let pattern: RoomPattern
  private let thing: String
  private var tokens: [MoToken] = []
  private let hasWarned = Locked(false)
  /// The lineage of the room's clock when the board took over the room's pattern; nil while the board follows none.
  ///
  /// Shared data belongs to the clock: a room with another clock has other data.
  private var lineage: MemberID?

  /// The interval, in seconds, at which the board tests whether the room's pattern is known.
  private static let checkInterval = 0.05
  /// The interval, in seconds, at which the board tests whether this member follows another room's clock.
  private static let watch = 0.25

  /// Whether the board follows the room's pattern.
  package var isSettled: Bool { lineage != nil }

  package init(_ board: DrumBoard, from now: HostTime) {
    (self.board, nextTime) = (board, now)
    pattern = RoomPattern(board)
    thing = SharedDrums.name(of: board.layout)
  }

  package func service(until now: HostTime) {
    let (current, there) =
      SessionServer.shared.read { core, _ in
        let current = core.base?.lineage
        return (current, core.knowsShared && current != lineage ? core.shared(thing) : nil)
      } ?? (nil, nil)
    if current != lineage { stopSharing() }
    if let there {
      lineage = current
      adopt(there)
    }
    nextTime = now.advanced(bySeconds: isSettled ? Self.watch : Self.checkInterval)
  }

  /// Takes over the room's pattern, or sends the board's own pattern to a room that has none.
  private func adopt(_ there: [SharedEdit]) {
    let own = pattern.begin(with: there)
    tokens = [
      board.onEdit { [weak self] edit in self?.send(edit) },
      MoSession.onShared(thing) { [pattern] edit, _ in pattern.apply(edit) },
    ]
    for edit in own { send(edit) }
    // Edits that were made meanwhile.
    if there.isEmpty { for edit in board.edits { send(edit) } }
  }

  package func end() { stopSharing() }

  private func stopSharing() {
    for token in tokens { token.cancel() }
    (tokens, lineage) = ([], nil)
  }

  private func send(_ edit: SharedEdit) {
    do {
      try MoSession.share(thing, edit)
    } catch SessionError.notJoined {
    } catch {
      // Reported once, not for every slot.
      let isNew = hasWarned.withLock { hasWarned in
        defer { hasWarned = true }
        return !hasWarned
      }
      if isNew { MoLog.log(.warning, "\(error)") }
    }
  }
}

extension DrumBoard {
  /// Shares the board with all members whose board has the same size: a step that you set here is set on all boards.
  ///
  /// ```swift
  /// let board = DrumBoard()
  /// try MoAudio.play(DrumMachine(board))
  /// try MoSession.join(room: "Lab")
  /// try board.share()
  /// try MoAudio.follow { MoSession.beat }
  /// ```
  ///
  /// If several members change a step at the same time, all boards get the same result; `undo` takes back only your
  /// own changes. If you enter a room that has a pattern, the room's pattern replaces yours. If the room has no
  /// pattern, your pattern becomes the room's. If several members begin a room at the same time, MoMu selects the
  /// pattern of a single member for the room. Your own pattern plays until the room's pattern is known, which takes a
  /// second or two.
  ///
  /// - Returns: a token whose `cancel()` ends the sharing; the board then stays as it is.
  /// - Throws: `SessionError.notJoined`, and an error if no thread can be started.
  /// - Thread: any but the audio thread's callback.
  @discardableResult
  public func share() throws -> MoToken {
    guard MoSession.room != nil else { throw SessionError.notJoined }
    let run = Run.current
    let shared = SharedBoard(self, from: run.clock.now)
    try run.input.add(shared) { _ in }
    if MoSession.members.first(where: \.isMe)?.plays.isEmpty == true { MoSession.setPlays("drums") }
    return MoToken {
      run.input.remove(shared)
      shared.end()
    }
  }
}

/// The name under which members share the pattern of a drum machine, such as `drums 3×16×4`.
///
/// The name contains the size of the machine: rows × steps × patterns.
package enum SharedDrums {
  /// The prefix of the names of all shared drum patterns.
  package static let prefix = "drums "

  /// Returns the name under which drum machines of the given size share their pattern, such as `drums 3×16×4`.
  package static func name(of layout: DrumLayout) -> String {
    "\(prefix)\(layout.rows)×\(layout.steps)×\(layout.patterns)"
  }

  /// Returns the size of the drum machine that a shared name contains; nil for a name of another shared setting.
  package static func layout(_ name: String) -> DrumLayout? {
    guard name.hasPrefix(prefix) else { return nil }
    let sizes = name.dropFirst(prefix.count).split(separator: "×").map { Int($0) }
    guard sizes.count == 3, let rows = sizes[0], let steps = sizes[1], let patterns = sizes[2] else {
      return nil
    }
    return try? DrumLayout(rows: rows, steps: steps, patterns: patterns)
  }
}
