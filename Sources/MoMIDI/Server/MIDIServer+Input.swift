import MIDICore
import MoAudioDevices
import MoCore
import MoRuntime
import MoSensing

extension MIDIServer {
  /// Opens the MIDI source and reads it from now on; does nothing if a source is open already, or if `run` has ended.
  ///
  /// - Parameter source: a source in the form of the option `--midi`; if the option is given, it replaces this value.
  ///   Nil means all keyboards; offline, or without a sequencer, it means a simulated player.
  /// - Throws: `MIDIError`, or `SensorError` for a tape.
  package func startInput(source: String? = nil, in run: Run) throws {
    run.markUsed("midi")
    defer { notifyPortEvents(run) }
    let asked = run.options.midi ?? source
    let joining = try withLock { () -> Joining? in
      guard !state.hasInput, !hasEnded(run) else { return nil }
      try begin(in: run)
      let name = try asked.map { (text) throws(MIDIError) in try MIDISourceName(text) }
      let joining = try openInput(name, text: asked ?? "", run)
      state.hasInput = true
      return joining
    }
    guard let joining else { return }
    try finish(joining, run)
    try withLock {
      do {
        try record(asked ?? "", run)
      } catch {
        state.hasInput = false
        throw error
      }
    }
  }

  /// Opens a source, and starts its recording; call it with the lock held.
  ///
  /// - Returns: for a network session, the call to finish, after which its recording is to be started; else nil.
  func openInput(_ name: MIDISourceName?, text: String, _ run: Run) throws -> Joining? {
    switch name {
    case nil where run.isOffline: try play(.simulated(.scale), text: "sim:scale", run)
    case nil:
      do throws(MIDIError) {
        try read(.keyboards, run)
      } catch {
        run.notice("\(error). Until then a simulated player plays.")
        try play(.simulated(.scale), text: "sim:scale", run)
      }
    case .keyboards? where run.isOffline, .port? where run.isOffline, .network? where run.isOffline:
      throw MIDIError.notOffline(text, option: "midi")
    case .keyboards?: try read(.keyboards, run)
    case .port(let port)?: try read(.named(port), run)
    case .network(let name)?: return try join(name, run, reads: true)
    case .nothing?: break
    case let other?: try play(other, text: text, run)
    }
    try record(text, run)
    return nil
  }

  func read(_ request: MIDIConnections.Request, _ run: Run) throws(MIDIError) {
    let pump = try pump(run)
    let waits = run.waitsForDevices
    let (now, failure) = (run.clock.now, Locked<MIDIError?>(nil))
    let count = pump.perform {
      do throws(MIDIError) {
        pump.isDeaf = false
        try pump.connections.read(request, waits: waits, at: now)
      } catch {
        failure.withLock { $0 = error }
      }
      return pump.connections.names.count
    }
    if let error = failure.withLock({ $0 }) {
      endUnused()
      throw error
    }
    if count == 0 {
      run.notice(
        "No MIDI keyboard is connected; one that is plugged in is used, or connect one to \"\(clientName)\".")
    }
  }

  func play(_ name: MIDISourceName, text: String, _ run: Run) throws {
    guard let receiver = state.receiver else { return }
    let steps: [MIDIScore.Step]
    let (length, loops): (Int64, Bool)
    switch name {
    case .tape(let path): (steps, length, loops) = try MIDITape.steps(path)
    case .file(let path, let track):
      let file = try MIDIFileScore.read(path)
      for remark in file.remarks { MoLog.log(.warning, "\(path): \(remark)") }
      if try playByBeat(file, track: track, path: path, text: text, run) { return }
      (steps, length) = try MIDIFileScore.steps(of: file, track: track, path: path)
      loops = false
    case .simulated(let player):
      (steps, length) = SimulatedMIDI.steps(of: player)
      loops = true
    default: return
    }
    let input = MIDIInput(name: text, steps, nanoseconds: length, loops: loops, receiver, run)
    state.input = input
    try input.begin()
    state.pendingEvents.append(.using(name: text))
  }

  /// Plays a MIDI file in time with the room's beat, if the program was started with the option `--room`.
  ///
  /// Returns false, and plays nothing, if the option is missing, or if the file is in SMPTE time code, which has no
  /// beats.
  func playByBeat(_ file: MIDIFile, track: Int?, path: String, text: String, _ run: Run) throws
    -> Bool
  {
    guard run.options.given.contains("room"), let receiver = state.receiver else { return false }
    guard let (steps, length) = try MIDIFileScore.beatSteps(of: file, track: track, path: path) else {
      run.notice("\(path) is in time code, without beats: it is played at once, not by the room's beat")
      return false
    }
    let input = MIDIInput(
      name: text, steps, length: length,
      beat: { [partBeat] in partBeat.withLock { $0 }?() ?? BeatClock(clock: .init(), timeline: nil) },
      lead: { MoAudio.noteLead(forRoom: true) }, receiver, run)
    state.input = input
    try input.begin()
    run.notice("\(text) plays by the room's beat, from the first bar line on.")
    return true
  }

  /// Stores the function that returns the shared beat; in a room, MIDI files are played in time with this beat.
  package func playFiles(by beat: @escaping @Sendable () -> BeatClock) { partBeat.withLock { $0 = beat } }

  func record(_ source: String, _ run: Run) throws {
    guard let receiver = state.receiver else { return }
    let tape = try SensorTape.open(in: run, from: run.clock.now, source: "midi \(source)") {
      [weak self] level, text in
      guard level == .warning else { return MoLog.log(level, text) }
      self?.notify(.recordingEnded(reason: text), run)
    }
    guard let tape else { return }
    state.tape = tape
    receiver.record { message, time in tape.record(message.message, at: time) }
  }

  /// Returns the messages and the duration of a tape, a file or a simulated player.
  ///
  /// You write `source` as for the option `--midi`. For any other source, such as a port, the list is empty.
  ///
  /// - Throws: `MIDIError`, `SensorError`.
  package static func steps(source: String) throws -> (steps: [MIDIScore.Step], nanoseconds: Int64) {
    switch try MIDISourceName(source) {
    case .tape(let path):
      let tape = try MIDITape.steps(path)
      return (tape.steps, tape.nanoseconds)
    case .file(let path, let track):
      return try MIDIFileScore.steps(of: try MIDIFileScore.read(path), track: track, path: path)
    case .simulated(let player): return SimulatedMIDI.steps(of: player)
    case .keyboards, .port, .network, .nothing: return ([], 0)
    }
  }
}
