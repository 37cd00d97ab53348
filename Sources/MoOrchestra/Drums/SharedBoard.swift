import MoCore
import MoInstruments

extension DrumBoard {
  /// Shares it with all in the room whose board has the same size: a slot that is set on one is set on all.
  ///
  /// ```swift
  /// let board = DrumBoard()
  /// try MoAudio.play(DrumMachine(board))
  /// try MoSession.join(room: "Lab")
  /// try board.share()
  /// try MoAudio.follow { MoSession.beat }
  /// ```
  ///
  /// Changes at the same moment come to the same everywhere, slot by slot; `undo` takes back one's own. Who comes into a
  /// room that has a pattern gets that one, and one's own goes; where the room has none, one's own becomes the room's.
  /// Where several begin a room at once, the whole pattern of one of them becomes it. Until that is known, within a second
  /// or two, one's own is played.
  ///
  /// - Returns: a token whose `cancel()` ends that; the board stays as it is then.
  /// - Throws: `SessionError.notJoined`, and where there is no thread.
  /// - Thread: any but the audio thread's callback.
  @discardableResult
  public func share() throws -> MoToken {
    guard MoSession.room != nil else { throw SessionError.notJoined }
    let run = Run.current
    let shared = SharedBoard(self, from: run.clock.now)
    try run.input.add(shared) { _ in }
    return MoToken {
      run.input.remove(shared)
      shared.end()
    }
  }
}

/// A drum board that is one with the room's, once it is known what the room has.
final class SharedBoard: EventSource, @unchecked Sendable {
  // Unchecked: what is settled belongs to the thread that services; `end` comes when it services no more.
  let name = "shared drums"
  let descriptor: Int32? = nil
  // An end that others have found is not put off by it.
  let isFinite = true
  private(set) var nextTime: HostTime?
  private let board: DrumBoard
  private let pattern: RoomPattern
  private let thing: String
  private var tokens: [MoToken] = []
  private let complained = Locked(false)
  /// Whether our part of the room has joined another, whose pattern is played from then on.
  private let hasJoined = Locked(false)
  private var joins: MoToken?

  /// Seconds from one look whether the room is known to the next.
  private static let look = 0.05
  /// Seconds from one look whether another part of the room was joined to the next.
  private static let watch = 0.25

  /// Whether it is one with the room's.
  var isSettled: Bool { !tokens.isEmpty }

  init(_ board: DrumBoard, from now: HostTime) {
    (self.board, nextTime) = (board, now)
    pattern = RoomPattern(board)
    thing = SharedDrums.name(of: board.layout)
    joins = MoSession.onEvent { [hasJoined] event in
      if event == .merged { hasJoined.withLock { $0 = true } }
    }
  }

  func service(until now: HostTime) {
    let isAnew = hasJoined.withLock { hasJoined in
      defer { hasJoined = false }
      return hasJoined
    }
    if isAnew { stopSharing() }
    defer { nextTime = now.advanced(bySeconds: isSettled ? Self.watch : Self.look) }
    guard !isSettled else { return }
    let known = SessionServer.shared.look { core, _ in core.knowsShared ? core.shared(thing) : nil }
    guard let known, let there = known else { return }
    settle(there)
  }

  /// Takes over what the room has, or gives it one's own.
  private func settle(_ there: [SharedEdit]) {
    let own = pattern.begin(with: there)
    tokens = [
      board.sharing.add { [weak self] edit in self?.tell(edit) },
      MoSession.onShared(thing) { [pattern] edit in pattern.take(edit) },
    ]
    for edit in own { tell(edit) }
    // What a hand has set meanwhile.
    if there.isEmpty { for edit in board.edits { tell(edit) } }
  }

  func end() {
    joins?.cancel()
    stopSharing()
  }

  private func stopSharing() {
    for token in tokens { token.cancel() }
    tokens = []
  }

  private func tell(_ edit: SharedEdit) {
    do {
      try MoSession.share(thing, edit)
    } catch SessionError.notJoined {
    } catch {
      // Said once, not for every slot.
      let isNew = complained.withLock { complained in
        defer { complained = true }
        return !complained
      }
      if isNew { MoLog.log(.warning, "\(error)") }
    }
  }
}
