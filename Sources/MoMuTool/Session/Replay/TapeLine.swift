import MoCore
import MoMu
import MoOrchestra
import MoRuntime

/// A formatter of tape entries as lines, such as `0:01.5  beat 3.25  Ada: hit 0, force 0.800`; it remembers the
/// members' names.
struct TapeLine {
  private var names: [MemberID: String] = [:]
  private var recorder = MemberID.nobody

  private static let most = 4096

  /// Returns the next entry of the tape as a line of text, without a line break.
  mutating func text(_ entry: SessionTapeEntry) -> String {
    if case .member(let member) = entry.note, names.count < Self.most { names[member.member] = member.name }
    if case .room(let room) = entry.note { recorder = room.member }
    let beat = entry.beat.map { "beat \(rounded($0))" } ?? "no beat"
    return "\(RecordingSummary.duration(entry.time.seconds(since: .zero)))  \(beat)  \(words(entry))"
  }

  private func words(_ entry: SessionTapeEntry) -> String {
    switch entry.note {
    case .room(let room): "room \(room.name), recorded by \(room.program)"
    case .clock(let clock):
      "the shared clock is at \(clock.shared.nanoseconds) ns, \(rounded(clock.rate * 1e6)) ppm fast"
    case .member(let member): self.member(member)
    case .state(let state): self.state(state)
    case .activity(let id, let level): "\(name(id)) moves \(rounded(Double(level)))"
    case .panic(let id): "\(name(id)) silences the room"
    case .panicLifted: "the silence is over"
    case .heard(let heard):
      "\(sender(of: heard)): \(Self.play(heard.play))\(at(heard.beat))" + lateness(heard.late)
    case .sent(let sent): "for \(sent.aim): \(Self.play(sent.play))\(at(sent.beat))"
    }
  }

  private func member(_ member: SessionTapeMember) -> String {
    guard member.isHere else { return "\(member.name) is here no more" }
    return "\(member.name) is here (\(member.program))"
      + (member.plays.isEmpty ? "" : ", plays \(member.plays)")
      + (member.level == 1 ? "" : ", level \(rounded(Double(member.level)))")
  }

  private func sender(of heard: SessionHeard) -> String {
    // The recorder's own settings are on the tape as sent.
    if case .cells = heard.play, heard.from == recorder { return "set earlier" }
    return name(heard.from)
  }

  private func name(_ id: MemberID) -> String { names[id] ?? id.unlisted }

  private func at(_ beat: Double?) -> String { beat.map { " for beat \(rounded($0))" } ?? "" }

  private func lateness(_ late: Double) -> String {
    late == 0 ? "" : late.isFinite ? ", \(rounded(late * 1000)) ms late" : ", for a beat that is over"
  }

  private func state(_ state: SessionState) -> String {
    let conductor = state.conductor.map { "\(name($0)) conducts" } ?? "no member conducts"
    guard let last = state.timeline?.last else { return conductor }
    return conductor + ", "
      + (last.isPlaying ? "\(rounded(last.endTempo)) beats per minute in \(last.meter)" : "no rhythm")
  }

  static func play(_ play: SessionPlay) -> String {
    switch play {
    case .hit(let strike): "hit \(strike.drum), force \(rounded(Double(strike.force)))"
    case .note(let note):
      note.velocity == 0
        ? "note \(rounded(Double(note.pitch))) is released"
        : "note \(rounded(Double(note.pitch))), force \(rounded(Double(note.velocity)))"
          + (note.length > 0 ? ", \(rounded(Double(note.length))) beats" : "")
    case .melody(let melody):
      "a melody of \(counted(melody.notes.count, "note")) in \(rounded(Double(melody.beats))) beats"
    case .change(let change): "\(change.name.printable) to \(rounded(Double(change.value)))"
    case .gesture(let gesture):
      "moves \(rounded(Double(gesture.activity))), rolled \(rounded(Double(gesture.roll)))°, up \(rounded(Double(gesture.pitch)))°"
    case .cells(let cells) where !SessionCore.marks(in: cells).isEmpty:
      SessionCore.marks(in: cells).map {
        ($0.isSet ? "marks " : "removes the mark at ") + "\($0.mark)".printable
      }
      .joined(separator: ", ")
    case .cells(let cells): "\(counted(cells.edits.count, "setting")) of \(cells.name.printable)"
    case .cue(let cue): cue.description
    case .text(let text): "says \(text.words.printable)"
    }
  }
}
