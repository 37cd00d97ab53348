import MoDSP
import MoMu

extension MoAudio {
  /// Plays an instrument; several play together.
  ///
  /// ```swift
  /// let drum = try MoAudio.play(Membrane(seed: nil))
  /// try MoAccel.addCallback { motion in
  ///   if let force = motion.jerk { drum.strike(force, at: motion.time) }
  /// }
  /// ```
  ///
  /// The first starts the sound, as `start` does with nothing but `outputs: 2`; they share a bus with a limiter at
  /// −1 dBFS. `MoAudio.stop()` ends them all.
  ///
  /// - Parameters:
  ///   - instrument: handed over; from here on only the audio thread touches it.
  ///   - name: what it is called in addresses; left out, its own name, with a number where that is taken.
  /// - Returns: the way to play it, from any thread.
  /// - Throws: what `start` throws; `InstrumentError.soundInUse` where a callback of the program's own plays,
  ///   `.tooMany`, `.badName`, and `.noGrid` for what `--grid` names.
  /// - Thread: any but the audio thread's callback.
  @discardableResult
  public static func play<Sound: Instrument>(
    _ instrument: sending Sound, as name: String? = nil
  ) throws -> InstrumentHandle {
    try SharedBus.asked(SharedBus.bus().add(instrument, as: name))
  }

  /// Where the instruments that `play` plays read the beat, once a block: `{ MoSession.beat }`; nil for no rhythm.
  ///
  /// - Throws: as `play`, which starts the sound where it does not run.
  /// - Thread: any but the audio thread's callback.
  public static func follow(_ clock: (@Sendable () -> BeatClock)?) throws {
    try SharedBus.bus().follow(clock)
  }

  /// What `play` plays now, in the order of playing.
  public static var instruments: [InstrumentHandle] { SharedBus.current?.handles ?? [] }
}

/// The bus that `MoAudio.play` plays on, while the sound runs.
package enum SharedBus {
  private struct Stage {
    weak var bus: InstrumentBus?
    /// The same where there is no sound, and so no callback that keeps it alive.
    var silent: InstrumentBus?
  }

  private static let stage = Locked(Stage())

  /// The bus that plays, if one does; the sound's callback keeps it alive.
  static var current: InstrumentBus? { stage.withLock { $0.bus } }

  /// The instrument, on the grid that `--grid` asks for.
  package static func asked(_ handle: InstrumentHandle) throws -> InstrumentHandle {
    if let text = Run.current.options.grid { handle.grid = try Quantiser(text) }
    return handle
  }

  /// The bus that plays; started where the sound does not run.
  package static func bus() throws -> InstrumentBus {
    try stage.withLock { stage in
      if let bus = stage.bus { return bus }
      guard !MoAudio.isRunning else { throw InstrumentError.soundInUse }
      let bus = InstrumentBus()
      try MoAudio.start { block in bus.render(&block) }
      stage.bus = bus
      if !MoAudio.isRunning {
        let run = Run.current
        let silence = NullRenderer(bus, from: run.isOffline ? nil : run.clock.now)
        try run.input.add(silence) { _ in }
        stage.silent = bus
        AudioServer.shared.atStop {
          Self.stage.withLock { $0 = Stage() }
          run.input.remove(silence)
        }
      }
      return bus
    }
  }
}
