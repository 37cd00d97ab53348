import Glibc
import MoMu
import MoTime

/// The terminal as a piano: it shows the keys and plays them.
///
/// | key | does |
/// |---|---|
/// | z s x d c v g b h n j m , | the range's lowest octave, black keys in the row above |
/// | q 2 w 3 e r 5 t 6 y 7 u i | its highest octave |
/// | with Shift | the same, loud |
/// | ← → | moves the range by an octave |
/// | ↑ ↓ | widens it, or narrows it: 1 to 5 octaves |
/// | space | the pedal, down or up |
/// | ! | silence |
///
/// A terminal tells only that a key went down, so a note is let go after a while unless the key repeats. Where there
/// is no terminal, or until the first key, the piano plays by itself.
public enum PianoDesk {
  /// Plays the piano, or the SoundFont that `--soundfont` names, and takes the terminal's keys.
  ///
  /// - Returns: the way to play it from elsewhere too.
  /// - Throws: `SoundFontError`; what `MoAudio.play` throws.
  /// - Thread: the main thread, in the set-up.
  @discardableResult
  public static func open() throws -> InstrumentHandle {
    let run = Run.current
    let handle =
      try run.options.soundfont.map { try MoAudio.play(SoundFont(path: $0)) } ?? MoAudio.play(Piano())
    let state = PianoDeskState(handle)
    run.picture.withLock { $0 = { state.picture(at: run.clock.now) } }
    let hasKeys = !run.isOffline && KeyboardTerminal.open()
    try run.input.add(PianoKeys(state, descriptor: hasKeys ? STDIN_FILENO : nil, start: run.clock.now)) { _ in
    }
    return handle
  }
}

/// What the desk shows, and what its keys have chosen.
final class PianoDeskState: Sendable {
  private struct Choice {
    var range = PianoRange()
    var pedal = false
    /// Until when each note sounds.
    var ends: [Int: HostTime] = [:]
  }

  private let handle: InstrumentHandle
  private let choice = Guarded(Choice())

  /// A held key repeats after half a second at the latest.
  static let shortest = Duration.milliseconds(600)
  static let help = "letters play, Shift loud   ← → range   ↑ ↓ wider, narrower   space pedal   ! silence"

  init(_ handle: InstrumentHandle) { self.handle = handle }

  var range: PianoRange { choice.withLock { $0.range } }

  /// The lines above the meter.
  func picture(at now: HostTime) -> String {
    let (range, pedal, sounding) = choice.withLock { choice in
      (choice.range, choice.pedal, Set(choice.ends.filter { $0.value > now }.keys))
    }
    let lines = PianoPicture.lines(range, sounding: sounding)
    return (lines + ["pedal \(pedal ? "down" : "up")", Self.help, ""]).joined(separator: "\n")
  }

  /// Plays a note for a while, and shows it.
  func play(_ note: Int, velocity: Float, for length: Duration = shortest, at now: HostTime) {
    guard (21...108).contains(note) else { return }
    let end = now + length
    choice.withLock { $0.ends[note] = end }
    // Each stroke has an end of its own: one that was struck again is not cut off by the first one's.
    let id = Int32(truncatingIfNeeded: now.nanoseconds / 1_000_000) &* 128 &+ Int32(note)
    handle.noteOn(Float(note), velocity: velocity, id: id, at: now)
    handle.noteOff(Float(note), id: id, at: end)
  }

  /// Does what a key says.
  func obey(_ key: PianoKey, at now: HostTime) {
    switch key {
    case .move(let steps): choice.withLock { $0.range.move(by: steps) }
    case .widen(let steps): choice.withLock { $0.range.widen(by: steps) }
    case .pedal:
      let isDown = choice.withLock { choice in
        choice.pedal.toggle()
        return choice.pedal
      }
      _ = try? handle.set("pedal", to: isDown ? 1 : 0)
    case .silence:
      choice.withLock { ($0.pedal, $0.ends) = (false, [:]) }
      _ = try? handle.set("pedal", to: 0)
      handle.allNotesOff()
    case .letter(let letter, let isLoud):
      if let note = range.note(letter) { play(note, velocity: isLoud ? 0.95 : 0.6, at: now) }
    }
  }
}
