import MoCore
import MoOrchestra

/// Plays what stands on a session's tape on one instrument, each sound at the moment at which it was heard.
///
/// - Thread: one at a time, the one that drives the inputs; `beat` any.
final class RecordingPlayer: @unchecked Sendable {
  // Unchecked: the one thread that drives the inputs uses it; others read `shown`.
  private let handle: InstrumentHandle
  /// What a drum machine plays; nil where none does.
  private let pattern: RoomPattern?
  private let player: RemotePart
  private let shown: LatestValue<BeatClock>
  private let start: HostTime
  /// The one who is to be heard alone, by the name that was shown; nil for all.
  private let only: String?
  private var names: [MemberID: String] = [:]
  private var me = MemberID.nobody
  private var beat = BeatClock(clock: SlewedClock(), timeline: nil)

  /// Further than this (s) the shared clock is not followed gently: it is another one.
  private static let farthest = 0.01
  private static let most = 4096

  /// - Parameters:
  ///   - shown: where the beat is shown, for what plays by it.
  ///   - start: when the tape's time 0 is.
  init(
    _ handle: InstrumentHandle, board: DrumBoard?, shown: LatestValue<BeatClock>, start: HostTime,
    only: String?
  ) {
    (self.handle, self.shown, self.start, self.only) = (handle, shown, start, only)
    pattern = board.map { RoomPattern($0) }
    player = RemotePart(handle) { shown.load() }
  }

  /// What lets notes go when their beats are over, and is to be driven as well.
  var releases: RemotePart { player }

  /// Does what an entry says.
  func take(_ entry: SessionTapeEntry) {
    let moment = start.advanced(byNanoseconds: entry.time.nanoseconds)
    switch entry.note {
    case .room(let room):
      me = room.member
      beat = BeatClock(clock: SlewedClock(), timeline: nil)
      shown.store(beat)
    case .clock(let clock): follow(clock, at: moment)
    case .state(let state):
      beat.timeline = state.timeline
      shown.store(beat)
    case .member(let member):
      if names.count < Self.most { names[member.member] = member.name }
      if !member.isHere { player.release(member.member) }
    case .heard(let heard): play(heard)
    case .sent(let sent):
      // What is for oneself, too, is heard besides.
      guard !sent.isForMe else { return }
      play(SessionHeard(from: me, play: sent.play, time: sent.time, beat: sent.beat, late: 0, weight: 1))
    case .panic: player.releaseAll()
    case .activity: break
    }
  }

  private func follow(_ line: SessionTapeClock, at moment: HostTime) {
    let estimate = ClockEstimate(
      at: moment, offset: line.shared.nanoseconds &- moment.nanoseconds, rate: line.rate, errorBound: 0,
      symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0)
    let off = Double(beat.clock.other(at: moment).nanoseconds &- line.shared.nanoseconds) * 1e-9
    // Gently, so that no line of the rhythm is passed twice.
    if abs(off) < Self.farthest {
      beat.clock.follow(estimate, at: moment)
    } else {
      beat.clock.settle(on: estimate, at: moment)
    }
    shown.store(beat)
  }

  private func play(_ heard: SessionHeard) {
    if let only, names[heard.from] != only { return }
    var heard = heard
    heard.time = start.advanced(byNanoseconds: heard.time.nanoseconds)
    switch heard.play {
    case .gesture(let gesture):
      if heard.late == 0 { handle.move(Motion(gesture, at: heard.time)) }
    case .cells(let cells):
      guard let pattern, cells.name.hasPrefix(SharedDrums.prefix) else { return }
      for edit in cells.edits { pattern.take(edit) }
    case .hit, .note, .melody, .change, .cue:
      heard.play = heard.play.forAnyInstrument
      player.play(heard)
    }
  }
}

extension SessionPlay {
  /// The same, whatever instrument it was for: here there is one.
  fileprivate var forAnyInstrument: SessionPlay {
    switch self {
    case .hit(var hit):
      hit.instrument = ""
      return .hit(hit)
    case .note(var note):
      note.instrument = ""
      return .note(note)
    case .change(var change):
      change.instrument = ""
      return .change(change)
    case .melody, .gesture, .cells, .cue: return self
    }
  }
}
