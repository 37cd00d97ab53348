import MoCore
import MoInstruments
import MoMIDI
import MoMu

/// A running instrument with all its inputs: keys, movement, notes, messages, and a mapping from a file.
///
/// While the performance plays, `change(to:)` can replace the instrument by another instrument.
///
/// - Thread: created on the main thread in a program's set-up; `change` on one thread at a time.
package final class Performance: Sendable {
  private let options: PlayOptions
  private let bus: InstrumentBus
  private let start: HostTime
  private let current: Locked<InstrumentHandle>
  private let console: InstrumentConsole?
  private let isListening: Bool
  private let room: PlayRoom?
  /// The MIDI controllers that the user has assigned to parameters; nil offline and without `--midi`.
  private let learned: LearnedControls?
  /// The player of MIDI input, which plays the current instrument; nil without `--midi`.
  private let midi: Locked<MIDIPlayer>?
  /// The tokens of the current instrument's connections to OSC, MIDI out, the room and the mapping file.
  ///
  /// The tokens are cancelled when another instrument replaces the current instrument.
  private let tokens = Locked<[MoToken]>([])
  /// The instrument before the last change; nil before the first change.
  ///
  /// The performance holds this instrument until the next change, because the audio thread uses it during the
  /// cross-fade.
  private let before = Locked<InstrumentHandle?>(nil)

  /// Starts to play an instrument, and opens its inputs.
  ///
  /// - Parameter room: the room to play in; nil to play alone.
  /// - Throws: the errors of the sound, the sensors, the network and the mapping.
  package init(
    of entry: InstrumentFactory, _ options: PlayOptions,
    in room: PlayRoom? = nil
  ) throws {
    let run = Run.current
    self.options = options
    self.room = room
    // A tape or a file in counted time must sound the same on each machine.
    learned =
      run.options.midi == nil || run.isOffline
      ? nil
      : LearnedControls(path: LearnedControls.path(inFolder: Configuration.folder(Run.environment())))
    bus = try SharedBus.bus()
    let handle = try SharedBus.asked(Self.add(entry, options, to: bus))
    current = Locked(handle)
    for setting in options.settings { try handle.set(setting.name, to: setting.value) }
    if let room { bus.follow(try room.join()) }
    isListening = try Self.listen()
    console = run.options.quiet ? nil : InstrumentConsole.openConsole(handle, learned: learned)
    // In real time, the first note waits until all is running and can be heard.
    let wait = room == nil ? 0.1 : MoAudio.noteLead(forRoom: true) - MoAudio.soundLead
    start = (run.isOffline ? HostTime.zero : run.clock.now + .seconds(wait)) + .seconds(MoAudio.soundLead)
    midi = try MoMIDI.playIfAsked(handle, learned: learned)
    try equip(handle)
    // Set on the command line, in the environment or in the configuration file.
    if run.options.accel != nil {
      try MoAccel.addCallback { [self] motion in current.withLock { $0.move(motion) } }
    }
    room?.opened()
    if room == nil { try followOwnRhythm(options.rhythm(for: entry)) }
    guard let notes = options.notes else { return }
    let send: (InstrumentEvent, HostTime) -> Void = { [self] event, time in
      _ = current.withLock { $0.send(event, heardAt: time) }
    }
    let lead = { Duration.seconds(MoAudio.noteLead(forRoom: room != nil)) }
    // Opening the inputs may have taken long, and the first note must reach the other members in time.
    let first = run.isOffline || room == nil ? start : max(start, run.clock.now + lead())
    let score = NoteScore(
      notes, tempo: options.tempo ?? 120, from: first, lead: lead, in: run.input, send)
    try run.input.add(score) { _ in }
  }

  /// Makes the instrument follow a rhythm of this program, which leads or follows MIDI devices with `--midi-clock`.
  ///
  /// - Parameter tempo: the tempo. With nil, there is no rhythm, unless `--midi-clock` is given; then nil means 120.
  private func followOwnRhythm(_ tempo: Tempo?) throws {
    guard Run.current.options.midiClock != nil else {
      guard let tempo else { return }
      let beat = BeatClock.steady(tempo: tempo, from: start)
      return bus.follow { beat }
    }
    let rhythm = Rhythm(tempo: tempo ?? 120)
    // Start is sent 5 ms before the first beat.
    if try !MoMIDI.syncIfAsked(rhythm) { rhythm.start(at: start + .milliseconds(20)) }
    bus.follow { rhythm.beat }
  }

  /// Replaces the current instrument by the instrument of a catalogue's entry, with a cross-fade.
  ///
  /// - Returns: the error of an input that could not be opened; the new instrument plays without this input. Nil if
  ///   all inputs are open.
  /// - Throws: `InstrumentError`; then the previous instrument keeps playing.
  package func change(to entry: InstrumentFactory) throws -> (any Error)? {
    let old = current.withLock { $0 }
    let slot = try entry.successor(of: old, on: bus)
    let new = InstrumentHandle(slot)
    // From here on, new events go to the new instrument and wait for it.
    current.withLock { $0 = new }
    let now = Run.current.clock.now
    midi?.withLock { $0.change(to: new, at: now) }
    do {
      try bus.add(slot)
    } catch {
      current.withLock { $0 = old }
      midi?.withLock { $0.change(to: old, at: now) }
      throw error
    }
    before.withLock { $0 = old }
    console?.handle = new
    if let loop = old.loop { new.loop = loop }
    let left = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    defer { for token in left { token.cancel() } }
    do {
      try equip(new)
      return nil
    } catch {
      return error
    }
  }

  /// Opens an instrument's connections to OSC, the room, MIDI out and the mapping file, and adds their tokens to
  /// `tokens`.
  private func equip(_ handle: InstrumentHandle) throws {
    let run = Run.current
    if isListening {
      let net = InstrumentNet.open(handle)
      tokens.withLock { $0.append(net) }
    }
    if let room {
      let shared = try room.share(handle)
      tokens.withLock { $0.append(shared) }
    }
    let sent = try MoMIDI.sendNotes(of: handle)
    tokens.withLock { $0.append(sent) }
    if let path = options.mapping {
      let file = try MappingFile(path, for: handle, at: run.clock.now)
      guard !run.isOffline else { return }
      nonisolated(unsafe) let source = file
      try run.input.add(source) { _ in }
      let token = MoToken { run.input.remove(source) }
      tokens.withLock { $0.append(token) }
    }
  }

  private static func add(
    _ entry: InstrumentFactory, _ options: PlayOptions, to bus: InstrumentBus
  ) throws -> InstrumentHandle {
    guard let path = options.soundfont else { return try entry.add(to: bus) }
    return try bus.add(SoundFont(path: path), as: "piano")
  }

  /// Starts to receive OSC from the network; returns whether the program receives OSC.
  ///
  /// If another program has the port, this program plays without OSC; with `--net`, this is an error. Offline, the
  /// program receives OSC only with `--net`.
  private static func listen() throws -> Bool {
    let run = Run.current
    let isAskedFor = run.options.net != nil
    if run.isOffline, !isAskedFor { return false }
    do {
      try MoNet.listen()
      return true
    } catch NetError.portTaken(let port, let program) where !isAskedFor {
      MoLog.log(
        .notice,
        "this program plays, but receives no OSC: \(program ?? "another program") has port \(port); for a port of its "
          + "own, add --net udp:\(NetError.portBeside(port))")
      return false
    }
  }
}
