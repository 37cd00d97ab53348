import MoMIDI
import MoMu

extension MoMIDI {
  /// Connects MIDI input to an instrument: notes, pitch wheel, pressure, pedal, presets, and the controllers in the
  /// instrument's mapping.
  ///
  /// ```swift
  /// let harp = try MoAudio.play(Harp(seed: nil))
  /// try MoMIDI.play(harp)
  /// ```
  ///
  /// In a room, MIDI keys act like the keys of the computer: all members that play the same instrument hear the
  /// notes.
  ///
  /// - Returns: a token whose `cancel()` disconnects MIDI input, and ends the notes that MIDI began.
  /// - Throws: `MIDIError`, or `SensorError` for a tape, if the source cannot be opened.
  /// - Thread: any but the audio callback.
  @discardableResult
  public static func play(_ instrument: InstrumentHandle) throws -> MoToken {
    let (player, token) = try connect(instrument, learned: nil)
    return MoToken {
      token.cancel()
      player.withLock { $0.releaseAll(at: Run.current.clock.now) }
    }
  }

  private static func connect(
    _ instrument: InstrumentHandle, learned: LearnedControls?
  ) throws -> (player: Locked<MIDIPlayer>, token: MoToken) {
    let player = Locked(MIDIPlayer(instrument, learned: learned))
    return (player, try addCallback { event in player.withLock { $0.handle(event) } })
  }

  /// Connects MIDI input to an instrument if the option `--midi` is given; otherwise prints the name of a MIDI keyboard
  /// that `--midi` would use.
  ///
  /// MIDI input stays connected until the program ends.
  ///
  /// - Parameter learned: the assignments of controllers to parameters; nil for none.
  /// - Returns: the player, which can change to another instrument; nil without `--midi`.
  /// - Throws: `MIDIError`.
  package static func playIfAsked(
    _ instrument: InstrumentHandle, learned: LearnedControls? = nil
  ) throws -> Locked<MIDIPlayer>? {
    let run = Run.current
    guard run.options.midi != nil else {
      if !run.isOffline, !run.options.quiet, let name = MIDIServer.shared.firstKeyboard() {
        run.notice("There is a MIDI keyboard, \(name): --midi plays with it.")
      }
      return nil
    }
    if MIDIServer.shared.isDefaultName { MIDIServer.shared.clientName = "MoMu \(instrument.name)" }
    return try connect(instrument, learned: learned).player
  }
}

extension InstrumentHandle {
  /// Passes the value of a MIDI controller, 0…127, to the instrument's mapping; returns false if no rule uses the
  /// controller.
  ///
  /// - Parameters:
  ///   - number: the number of the controller.
  ///   - value: the controller's value, 0…127.
  ///   - time: the time at which the controller was moved.
  ///   - heard: the time at which the effect must be heard, in place of `time`.
  /// - Thread: any, but one at a time.
  /// - Real-time safe: no.
  @discardableResult
  public func control(
    _ number: Int, value: Float, at time: HostTime, heardAt heard: HostTime? = nil
  ) -> Bool {
    slot.mapper.withLock { mapper in
      guard let heard else { return mapper.read(control: number, value: value, at: time, self) }
      return mapper.read(control: number, value: value, at: heard, ScheduledTarget(handle: self))
    }
  }
}
