import MoConsole
import MoOrchestra

/// The printer of `momu session --listen`: it prints the events for this member, and the activity of all members, on
/// standard error.
enum EventPrinter {
  static func begin() {
    SessionServer.shared.heard.add { heard in
      if let text = text(of: heard, by: name(heard.from)) { complain(text) }
    }
  }

  /// Returns the line to print for an event, such as `Ada: C4, force 0.800, at beat 16.0`; nil for shared settings,
  /// cues and text messages.
  ///
  /// - Parameter name: the display name of the sender.
  static func text(of heard: SessionHeard, by name: String) -> String? {
    let what: String
    switch heard.play {
    case .hit(let hit): what = "hit \(number(hit.force))" + (hit.drum > 0 ? ", drum \(hit.drum)" : "")
    case .note(let note) where note.velocity == 0: what = "\(NoteText.name(note.pitch)) released"
    case .note(let note):
      let length = note.length > 0 ? ", \(number(note.length)) beats" : ""
      what = "\(NoteText.name(note.pitch)), force \(number(note.velocity))\(length)"
    case .change(let change):
      let part = heard.weight < 1 ? ", \(number(100 * heard.weight)) % of the way" : ""
      what = "\(change.name) to \(number(change.value))\(part)"
    case .melody(let melody):
      what = "a melody: " + melody.notes.map { NoteText.name($0.pitch) }.joined(separator: " ")
    case .gesture(let gesture): what = "moves, activity \(number(gesture.activity))"
    default: return nil
    }
    let instrument = heard.play.instrument.isEmpty ? "" : " on \(heard.play.instrument)"
    return "\(name): \(what)\(instrument)\(lateness(heard))"
  }

  private static func lateness(_ heard: SessionHeard) -> String {
    guard heard.late > 0 else { return heard.beat.map { ", at beat \(($0 * 1000).rounded() / 1000)" } ?? "" }
    return heard.late.isFinite
      ? ", late by \(number(Float(heard.late * 1000))) ms" : ", for a beat that is over"
  }

  private static func number(_ number: Float) -> String { ParameterText.number(number) }

  private static func name(_ id: MemberID) -> String {
    (SessionServer.shared.look { core, _ in core.displayName(of: id) } ?? nil) ?? id.unlisted
  }
}
