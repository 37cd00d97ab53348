import MoCore
import MoRuntime

extension MIDIServer {
  /// Sends the shared beat to gear as MIDI clock from now on.
  ///
  /// - Parameter beat: returns the shared beat.
  /// - Throws: `MIDIError.clockTaken` if this or another program already sends clock to the port; otherwise the errors
  ///   of `startOutput`.
  package func lead(_ beat: @escaping @Sendable () -> BeatClock, in run: Run) throws {
    try startOutput(in: run)
    try lock.withLock {
      guard state.clock == nil else { throw MIDIError.clockTaken(port: run.options.midiOut ?? clientName) }
      // Another program may name the same port differently.
      let ports = state.pump.map { pump in pump.perform { pump.connections.targetNames } } ?? []
      let leases = try ports.map { port throws(MIDIError) in
        guard let lease = ClockLease(port: port) else { throw .clockTaken(port: port) }
        return lease
      }
      let start = run.isOffline ? HostTime.zero : run.clock.now
      let output = MIDIClockOutput(from: start, trim: run.options.midiTrim * 1e-3, beat) {
        [weak self] message, time in try? self?.send(.message(message), at: time, in: run)
      }
      do {
        try run.input.add(output) { _ in }
      } catch {
        throw MIDIError.noThread(reason: "\(error)")
      }
      state.clock = (output, leases, run)
    }
  }

  /// Follows the MIDI clock of gear from now on, and returns the object that holds the gear's beat.
  ///
  /// - Throws: the errors of `startInput`.
  package func follow(in run: Run) throws -> MIDIClockInput {
    let input = MIDIClockInput()
    _ = onEvent { input.take($0) }
    try startInput(in: run)
    return input
  }
}
