import MoCore
import MoInstruments

/// The connection of a shared instrument to the room.
///
/// It sends the notes and strikes that are played here, and ends the notes of members that have gone.
package final class LocalPart: EventTimer, @unchecked Sendable {
  // Unchecked: the one servicing thread sends; `end` is called after the last service.
  package let name = "what is played for others"
  private let player: RemotePart
  private let tap: LocalPartTap
  private let run: Run
  private var encoder: PartEncoder
  private var nextCheck: HostTime
  private var nextWatch: HostTime
  private var nextWarning = HostTime.distantPast
  private var nextSave: HostTime
  /// The last reported reason why other members do not receive the notes that are played here; nil while all members
  /// receive all notes.
  private var silence: String?
  /// The values of the instrument's parameters at the last check.
  private var seen: [Float] = []

  /// The interval, in seconds, between two checks that end the sounding notes of members that have gone.
  private static let watch = 0.5
  /// The interval, in seconds, at which changed parameters are saved.
  private static let saveInterval = 2.0
  /// The shortest time between two reports of events that could not be sent, in seconds.
  private static let reportInterval = 10.0

  init(_ player: RemotePart, _ tap: LocalPartTap, _ run: Run) {
    (self.player, self.tap, self.run) = (player, tap, run)
    encoder = PartEncoder(part: player.part)
    (nextCheck, nextWatch, nextSave) = (run.clock.now, run.clock.now, run.clock.now)
  }

  package var nextTime: HostTime? {
    if !tap.isEmpty { return .distantPast }
    // Offline there are no other members, and nothing is played between two events.
    guard !run.isOffline else { return encoder.next }
    return min(nextCheck, encoder.next ?? .distantFuture)
  }

  package func service(until now: HostTime) {
    nextCheck = tap.nextCheck(after: now)
    while let played = tap.next() { encoder.add(played) }
    encoder.sendDue(until: now, MoSession.beat, grid: player.handle.grid) { send($0, $1, $2) }
    guard now >= nextWatch, !run.isOffline else { return }
    nextWatch = now.advanced(bySeconds: Self.watch)
    watch()
    guard now >= nextSave else { return }
    nextSave = now.advanced(bySeconds: Self.saveInterval)
    save()
  }

  /// Restores each parameter that was saved before the program was killed, if the parameter still has its default.
  func restore() {
    for parameter in player.handle.parameters
    where player.handle.value(parameter.name) == parameter.initial {
      guard let value = MoSession.kept(Self.place(player.part, parameter.name)).flatMap({ Float($0) }) else {
        continue
      }
      _ = try? player.handle.set(parameter.name, to: value)
    }
  }

  /// Saves the parameters, so that they can be restored if the program is killed.
  ///
  /// A parameter that has changed since the last check may still be moving, so it is saved only when a later check
  /// finds it unchanged.
  private func save() {
    let parameters = player.handle.parameters
    let values = parameters.indices.map { player.handle.value($0) }
    defer { seen = values }
    guard seen.count == values.count else { return }
    for (index, parameter) in parameters.enumerated() where seen[index] == values[index] {
      let place = Self.place(player.part, parameter.name)
      let isUsual = values[index] == parameter.initial
      MoSession.keep(isUsual ? nil : "\(values[index])", as: place)
    }
  }

  private static func place(_ part: String, _ parameter: String) -> String { "\(part)/\(parameter)" }

  /// Ends, for the other members, all notes that are held on this machine.
  func end() { encoder.release(at: run.clock.now, MoSession.beat) { send($0, $1, $2) } }

  /// Ends the notes of members that have gone, are ignored or are muted; if the room is silent, of all members.
  ///
  /// The messages that end these notes would not arrive: for example, all messages with plays of an ignored member are
  /// dropped.
  private func watch() {
    let owners = player.owners
    guard !owners.isEmpty else { return }
    let gone = SessionServer.shared.read { core, now in owners.filter { !core.isAudible($0, at: now) } }
    for owner in gone ?? owners { player.release(owner) }
  }

  private func send(_ play: SessionPlay, _ aim: SessionAim, _ moment: SessionMoment) -> Double? {
    do {
      warnIfUnheard()
      return try MoSession.play(play, to: aim, at: moment)
    } catch SessionRefusal.noRhythm {
      // The rhythm has just stopped.
      return send(play, aim, .now)
    } catch SessionError.notJoined {
      return nil
    } catch {
      warn("\(error)")
      return nil
    }
  }

  /// Reports each new reason why other members do not receive the notes that are played here, and the remedy.
  private func warnIfUnheard() {
    let text = SessionServer.shared.read { core, now in
      let gates = core.state.policy.gates
      // Most rooms have no gates, and a roster is costly.
      let notes =
        gates == .democratic
        ? NotesGates()
        : NotesGates(gates, from: core.settings.identity.installation, to: core.roster(at: now))
      return Self.silence(isSilenced: core.isSilenced, mutedSections: core.mutedSections, notes)
    }
    defer { silence = text ?? nil }
    if let text = text ?? nil, text != silence { MoLog.log(.notice, text) }
  }

  /// Returns the reason why all or some other members do not receive the notes that are played here; nil if all members
  /// receive all notes.
  package static func silence(isSilenced: Bool, mutedSections: [String], _ gates: NotesGates = .init())
    -> String?
  {
    if isSilenced { return "the room is silenced until a new start or :unpanic: no machine plays your notes" }
    guard let section = mutedSections.first else {
      guard !gates.closed.isEmpty else { return nil }
      return gates.open.isEmpty
        ? "your notes gate is closed: no other machine plays your notes until it is opened (gate 1 notes NAME all)"
        : "your notes gate to \(gates.closed.joined(separator: ", ")) is closed: only \(gates.open.joined(separator: ", ")) "
          + "can hear you"
    }
    return "your section \(section) is muted: no machine plays your notes until the conductor unmutes it"
  }

  /// Reports how many events from the room sounded late, came too late or were dropped since the last report; does
  /// nothing if there were none.
  func report() {
    if let text = Self.text(player.takeCounts(), part: player.part) { run.notice(text) }
  }

  /// Returns the text about events that sounded late, came too late or found no free voice; nil if there were none.
  package static func text(_ counts: RemotePart.Counts, part: String) -> String? {
    guard counts.delayed + counts.late + counts.crowded > 0 else { return nil }
    func most(_ seconds: Double) -> String { "by \(Int((seconds * 1000).rounded(.up))) ms at most" }
    var text = "\(part): \(counts.played) strikes and notes of the room were played"
    if counts.delayed > 0 { text += ", \(counts.delayed) of them late, \(most(counts.longestDelay))" }
    if counts.late > 0 { text += ", \(counts.late) came too late, \(most(counts.latest))" }
    if counts.crowded > 0 { text += ", \(counts.crowded) found no free voice" }
    return text
  }

  private func warn(_ text: String) {
    let now = run.clock.now
    guard now >= nextWarning else { return }
    nextWarning = now.advanced(bySeconds: Self.reportInterval)
    MoLog.log(.notice, text)
  }
}

extension InstrumentHandle {
  /// Connects the instrument to the instruments that other members share under the same name.
  ///
  /// A note or strike on one machine sounds on all machines.
  ///
  /// ```swift
  /// let piano = try MoAudio.play(Piano())
  /// try MoSession.join(room: "Lab")
  /// try piano.share()
  /// ```
  ///
  /// If no rhythm runs, a note or strike sounds immediately on this machine, and on arrival on the other machines.
  /// While a rhythm runs, the note belongs to the nearest line of the instrument's `grid`. If the instrument has no
  /// grid, `share` sets its `grid` to four lines per beat: sixteenths in 4/4. All machines play the note at this line,
  /// if the network is fast enough. If not, the note sounds on this machine at the line, or immediately if the line has
  /// passed. All other machines then play the note together, at the first moment by which it can reach them all. A grid
  /// with strength 0 leaves the note at the time at which it was played.
  ///
  /// Notes last as long as they are held. The following stay on this machine: notes that the instrument makes from
  /// movement, its parameters, bends, loops, and OSC input. The instrument receives parameter changes from other
  /// members (`MoSession.setParameter`), and their melodies.
  ///
  /// If another member leaves, is ignored, or disappears, its notes end.
  ///
  /// - Parameter part: the shared name of the instrument; by default, its own name.
  /// - Returns: a token whose `cancel()` ends the sharing. If the instrument is shared already, the call and its token
  ///   have no effect.
  /// - Throws: `SessionError.notJoined`, and an error if no thread can be started.
  /// - Thread: any but the audio thread's callback.
  @discardableResult
  public func share(as part: String? = nil) throws -> MoToken { try share(as: part, in: .current) }

  /// Shares the instrument as `share(as:)` does, in a run that need not be the current run.
  package func share(as part: String? = nil, in run: Run) throws -> MoToken {
    guard MoSession.room != nil else { throw SessionError.notJoined }
    let name = part ?? self.name
    let made = slot.tap {
      let tap = LocalPartTap(run)
      return EventTap(tap, isShared: { tap.isShared }, tap.add)
    }
    guard let tap = made.maker as? LocalPartTap, tap.open() else { return MoToken {} }
    let hasGrid = grid != nil
    if !hasGrid { grid = Quantiser() }
    MoSession.setPlays(name)
    let player = RemotePart(self, as: name, run: run) { MoSession.beat }
    let shared = LocalPart(player, tap, run)
    shared.restore()
    let tokens = [
      SessionServer.shared.heard.add { player.play($0) },
      MoSession.onEvent { event in
        switch event {
        case .left(let id, _): player.release(id)
        case .panic, .level(0): player.releaseAll()
        default: break
        }
      },
    ]
    try run.input.add(player) { _ in }
    try run.input.add(shared) { _ in }
    // The run must not keep an instrument whose sharing has ended.
    run.atEnd(of: shared) { $0.report() }
    return MoToken {
      tap.close()
      for token in tokens { token.cancel() }
      run.input.remove(shared)
      run.input.remove(player)
      shared.end()
      player.releaseAll()
      shared.report()
      if !hasGrid, self.grid == Quantiser() { self.grid = nil }
    }
  }
}
