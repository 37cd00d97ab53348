import MoCore
import MoMu
import MoSessionCore

/// The terminal interface of a conductor: it shows the room, and its keys conduct.
///
/// | key | does |
/// |---|---|
/// | space | starts the rhythm, or stops it |
/// | + − | makes the tempo five beats per minute faster or slower |
/// | b | takes the free baton of a rhythm, or asks the conductor for the baton |
/// | J | follows the other part of the room, if two parts play at the same time |
/// | C | checks whether all members are ready for a concert, and shows the result for half a minute |
/// | m | selects the next meter of 4/4, 3/4, 7/8 |
/// | 1 … 9 | mutes or unmutes the section with this number: the first, the second … |
/// | ! | silences all members immediately |
public final class ConductorConsole: Console {
  package init() {}

  private static let keys = [
    ConsoleKey("space", "start/stop", .start), ConsoleKey("!", "silence"),
    ConsoleKey("+ -", "tempo", .rhythm), ConsoleKey("b", "take or ask for the baton", .baton),
    ConsoleKey("m", "meter", .rhythm), ConsoleKey("1…9", "mute a section", .lead),
    ConsoleKey("C", "check"), ConsoleKey("J", "follow the other part", .join),
  ]

  /// Returns the help for the keys that the room accepts from this member now.
  ///
  /// - Parameters:
  ///   - facts: the facts of the room; nil, before the room is joined, gives the help for all keys.
  ///   - hasSpace: whether the space bar starts and stops the rhythm.
  package static func help(_ facts: RoomFacts?, hasSpace: Bool = true) -> KeyHelp {
    ConsoleKey.help(hasSpace ? keys : Array(keys.dropFirst()), facts)
  }

  /// Shows the room above the level meter, and reads keys if there is a terminal.
  ///
  /// - Thread: the main thread, in the set-up.
  public static func open() { Run.current.open(ConductorConsole()) }

  package func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    SessionPicture.now(columns: columns) + [
      Self.help(RoomFacts.now()).block(columns: columns, hasPage: false)
    ]
  }

  package func handleKey(_ key: TerminalKey, at now: HostTime) {
    do {
      try execute(key, at: now)
    } catch {
      MoLog.log(.notice, "\(error)")
    }
  }

  private func execute(_ key: TerminalKey, at now: HostTime) throws {
    let announced = MoSession.announced
    switch key {
    case .character(" "):
      if announced.isPlaying { try RhythmTransport.stopAfterQuestion() } else { try MoSession.startRhythm() }
    case .character("+"), .character("="): try MoSession.setTempo(Tempo(announced.tempo + 5))
    case .character("-"), .character("_"): try MoSession.setTempo(Tempo(announced.tempo - 5))
    case .character("J"): try MoSession.joinOtherPart()
    case .character("C"): try MoSession.beginCheck()
    case .character("b"): try RhythmTransport.takeOrAskForBaton()
    case .character("m"): try MoSession.setMeter(Self.next(after: announced.meter))
    case .character("!"): try MoSession.panic()
    case .character(let digit) where ("1"..."9").contains(digit): try mute(Int(String(digit)) ?? 0)
    default: break
    }
  }

  /// Mutes the section with a number, counted from 1, or unmutes this section if it is muted.
  private func mute(_ number: Int) throws {
    let sections = SectionOrder.shared.sorted(MoSession.sections)
    guard sections.indices.contains(number - 1) else {
      return MoLog.log(
        .notice,
        sections.isEmpty
          ? "the room has no sections: type :section NAME MEMBER to form one"
          : "there is no section \(number): the sections have the numbers 1 to \(sections.count)")
    }
    let section = sections[number - 1]
    try MoSession.setMuted(!MoSession.sectionLevels.isMuted(section), section: section)
  }

  private static func next(after meter: Meter) -> Meter {
    let meters = [Meter.common, Meter(3, 4), Meter(7, 8)].compactMap { $0 }
    let place = meters.firstIndex(of: meter) ?? meters.count - 1
    return meters[(place + 1) % meters.count]
  }
}
