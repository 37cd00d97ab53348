import MoCore
import MoDSP
import MoMu

extension MoAudio {
  /// Starts an instrument, which you then play with the returned handle; several instruments can play together.
  ///
  /// ```swift
  /// let drum = try MoAudio.play(DrumKit())
  /// try MoAccel.addCallback { motion in
  ///   if let force = motion.strike { drum.strike(force, at: motion.time) }
  /// }
  /// ```
  ///
  /// The first call starts the sound, as `start` does with its default settings: two output channels, no input. All
  /// instruments share a bus with a limiter at −1 dBFS. `MoAudio.stop()` ends all instruments.
  ///
  /// - Parameters:
  ///   - instrument: the instrument; after the call, only the audio thread uses it.
  ///   - name: the instrument's name in addresses: lower-case letters, digits and hyphens (default: the name in its
  ///     sheet). A name that is taken gets a number, such as `harp-2`.
  /// - Returns: the handle with which you play the instrument from any thread.
  /// - Throws: the errors of `start`; `InstrumentError.soundInUse` if the program already plays its own
  ///   callback; `.tooMany`; `.badName`; `.noGrid` for a wrong `--grid`.
  /// - Thread: any but the audio thread's callback.
  @discardableResult
  public static func play<Sound: Instrument>(
    _ instrument: sending Sound, as name: String? = nil
  ) throws -> InstrumentHandle {
    try SharedBus.asked(SharedBus.bus().add(instrument, as: name))
  }

  /// Plays a shaker as an instrument.
  ///
  /// - Returns: the handle with which you play the shaker from any thread.
  /// - Throws: the errors of `play` for an instrument.
  @discardableResult
  public static func play(_ shaker: Shaker, as name: String? = nil) throws -> InstrumentHandle {
    try play(ShakerInstrument(shaker), as: name)
  }

  /// Plays a reed as an instrument.
  ///
  /// - Returns: the handle with which you play the reed from any thread.
  /// - Throws: the errors of `play` for an instrument.
  @discardableResult
  public static func play(_ reed: Reed, as name: String? = nil) throws -> InstrumentHandle {
    try play(ReedInstrument(reed), as: name)
  }

  /// Sets the closure that returns the beat for all instruments that `play` starts, such as `{ MoSession.beat }`.
  ///
  /// The audio thread calls the closure once per block. With nil, the instruments have no rhythm.
  ///
  /// - Throws: the errors of `play`; like `play`, the function starts the sound if no sound is running.
  /// - Thread: any but the audio thread's callback.
  public static func follow(_ clock: (@Sendable () -> BeatClock)?) throws {
    try SharedBus.bus().follow(clock)
  }

  /// The instruments that `play` plays now, in the order in which they were added.
  public static var instruments: [InstrumentHandle] { SharedBus.current?.handles ?? [] }
}

/// The bus of `MoAudio.play`, while the sound runs.
package enum SharedBus {
  private struct State {
    weak var bus: InstrumentBus?
    /// A reference that keeps the bus alive in a run without sound; nil in a run with sound, in which the audio
    /// callback keeps the bus alive.
    var silent: InstrumentBus?
  }

  private static let state = Locked(State())

  /// The bus of the instruments that play now; nil before the first call of `play` or `follow`, and after the sound has
  /// stopped.
  ///
  /// The stored reference is weak: the audio callback or, in a run without sound, `silent` keeps the bus alive.
  static var current: InstrumentBus? { state.withLock { $0.bus } }

  /// Sets the grid of an instrument to the value of the option `--grid`, if the option is given; returns `handle`.
  package static func asked(_ handle: InstrumentHandle) throws -> InstrumentHandle {
    if let text = Run.current.options.grid { handle.grid = try Quantiser(text) }
    return handle
  }

  /// Returns the playing bus; if no sound is running, creates a bus and starts the sound.
  package static func bus() throws -> InstrumentBus {
    try state.withLock { state in
      // While an event callback runs, the engine keeps the bus of a sound that has stopped.
      if let bus = state.bus, MoAudio.isRunning || state.silent != nil { return bus }
      guard !MoAudio.isRunning else { throw InstrumentError.soundInUse }
      let bus = InstrumentBus()
      try MoAudio.start { block in bus.render(&block) }
      state.bus = bus
      if !MoAudio.isRunning {
        let run = Run.current
        let silence = NullRenderer(bus, from: run.isOffline ? nil : run.clock.now)
        try run.input.add(silence) { _ in }
        state.silent = bus
        AudioServer.shared.atStop {
          Self.state.withLock { $0 = State() }
          run.input.remove(silence)
        }
      }
      return bus
    }
  }
}

/// Discards the events that a bus receives in a run without sound (`--audio none`), fifty times per second.
///
/// Offline, `nextTime` is nil, and events are discarded only when another source is due. This way the source does not
/// delay the end of the run: an offline run without sound ends when no source has an event left.
final class NullRenderer: EventTimer, @unchecked Sendable {
  // Unchecked: `nextTime` belongs to the thread that services.
  let name = "silent instruments"
  private(set) var nextTime: HostTime?
  private let bus: InstrumentBus

  /// Creates the source for a bus.
  ///
  /// - Parameter start: the time at which events are first discarded; nil offline.
  init(_ bus: InstrumentBus, from start: HostTime?) { (self.bus, nextTime) = (bus, start) }

  func service(until now: HostTime) {
    bus.pass()
    if nextTime != nil { nextTime = now.advanced(bySeconds: 0.02) }
  }
}
