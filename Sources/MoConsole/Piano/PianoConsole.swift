import MoCore
import MoMIDI
import MoMu

/// The terminal interface of a piano: it shows the keys and plays them.
///
/// | key | does |
/// |---|---|
/// | z s x d c v g b h n j m , | plays the lowest octave of the shown range; the black keys are in the row above |
/// | q 2 w 3 e r 5 t 6 y 7 u i | plays the highest octave of the shown range |
/// | a letter with Shift | plays the note loud |
/// | ← → | moves the shown range by an octave |
/// | ↑ ↓ | widens or narrows the shown range: 1 to 5 octaves |
/// | space | presses or releases the pedal |
/// | ! | releases all notes and the pedal |
///
/// A terminal reports only that a key went down. So a note ends 0.6 s after the last report of its key; a held key
/// repeats its report.
///
/// With neither `--room` nor `--midi`, the piano plays a tune by itself until you press the first key of this table.
/// Without a terminal, the tune never stops.
///
/// - Thread: any but the audio thread's callback.
public final class PianoConsole: Console {
  private struct Choice {
    var range = PianoRange()
    var pedal = false
    /// The time at which each sounding note ends, by MIDI note number.
    var ends: [Int: HostTime] = [:]
    var isPlayed = false
  }

  private let handle: InstrumentHandle
  private let choice = Locked(Choice())

  /// The length of a note if its key does not repeat: 0.6 s.
  ///
  /// A terminal repeats a held key after at most 0.5 s, so the note of a held key does not stop before the key repeats.
  private static let shortest = Duration.milliseconds(600)
  static let help = KeyHelp([
    KeyHelp.Item("letters", "play"), KeyHelp.Item("Shift", "loud"), KeyHelp.Item("← →", "range"),
    KeyHelp.Item("↑ ↓", "width"), KeyHelp.Item("space", "pedal"), KeyHelp.Item("!", "ends my notes"),
  ])

  init(_ handle: InstrumentHandle) { self.handle = handle }

  /// Opens the console; the terminal's keys then play a piano, or the SoundFont that `--soundfont` names.
  ///
  /// In a room (`--room`) or with MIDI input (`--midi`), the piano does not play its tune by itself. In a room, the
  /// other members would hear the tune.
  ///
  /// - Returns: the instrument's handle, with which your program can play the instrument, too.
  /// - Throws: `SoundFontError`, and the errors of `MoAudio.play`.
  /// - Thread: the main thread, in the set-up.
  @discardableResult
  public static func open() throws -> InstrumentHandle {
    let run = Run.current
    let handle =
      try run.options.soundfont.map { try MoAudio.play(SoundFont(path: $0)) } ?? MoAudio.play(Piano())
    let console = PianoConsole(handle)
    run.open(console)
    let midi = try MoMIDI.playIfAsked(handle)
    if midi == nil, !run.options.given.contains("room") {
      try run.input.add(PianoDemo(console, start: run.clock.now)) { _ in }
    }
    return handle
  }

  /// Starts a rhythm for the piano; with `--midi-clock`, this rhythm leads MIDI devices or follows them.
  ///
  /// - Parameter tempo: the tempo. With nil, no rhythm starts, unless `--midi-clock` is given; then nil means 120.
  /// - Throws: `MIDIError`; the errors of `MoAudio.follow`.
  /// - Thread: the main thread, in the set-up.
  public static func follow(tempo: Tempo?) throws {
    guard tempo != nil || Run.current.options.midiClock != nil else { return }
    let rhythm = Rhythm(tempo: tempo ?? 120)
    if try !MoMIDI.syncIfAsked(rhythm) { rhythm.start() }
    try MoAudio.follow { rhythm.beat }
  }

  /// Whether the user has pressed a key that has an action, since the console was opened.
  var isPlayed: Bool { choice.withLock { $0.isPlayed } }

  package func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    let (range, pedal, sounding) = choice.withLock { choice in
      (choice.range, choice.pedal, Set(choice.ends.filter { $0.value > now }.keys))
    }
    let lines = PianoPicture.lines(range, sounding: sounding, columns: columns)
    return [
      ScreenBlock(least: 2, most: lines.count, priority: ScreenBlock.Priority.own) { rows in
        PianoPicture.fit(lines, rows: rows).map { ScreenLine($0) }
      },
      ScreenBlock([ScreenLine("pedal \(pedal ? "on" : "off")")], priority: ScreenBlock.Priority.level),
      Self.help.block(columns: columns, hasPage: false),
    ]
  }

  package func handleKey(_ key: TerminalKey, at now: HostTime) {
    guard let key = PianoKey(key) else { return }
    choice.withLock { $0.isPlayed = true }
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
      let note = choice.withLock { $0.range.note(letter) }
      if let note { play(note, velocity: isLoud ? 0.95 : 0.6, at: now) }
    }
  }

  /// Plays a MIDI note, 21 … 108, for the given length, and shows the note's key as pressed; ignores other notes.
  func play(_ note: Int, velocity: Float, for length: Duration = shortest, at now: HostTime) {
    guard (21...108).contains(note) else { return }
    choice.withLock { $0.ends[note] = now + length }
    handle.playNote(Float(note), velocity: velocity, for: length, at: now)
  }
}

/// The action of a key in a `PianoConsole`.
enum PianoKey: Equatable {
  case letter(Character, isLoud: Bool)
  case move(Int)
  case widen(Int)
  case pedal
  case silence

  /// Creates the action of a key that was typed; nil for a key without an action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .widen(1)
    case .down: self = .widen(-1)
    case .right: self = .move(1)
    case .left: self = .move(-1)
    case .character(" "): self = .pedal
    case .character("!"): self = .silence
    case .character(let typed):
      if let digit = PianoKey.shifted[typed] {
        self = .letter(digit, isLoud: true)
        return
      }
      let small = Character(typed.lowercased())
      guard PianoRange.lowerRow.contains(small) || PianoRange.upperRow.contains(small) else { return nil }
      self = .letter(small, isLoud: small != typed)
    default: return nil
    }
  }

  /// The characters that digits and the comma give with Shift on a US keyboard, each with its unshifted character.
  ///
  /// Only keys that play a note are listed. So "!" is absent, since 1 plays no note.
  private static let shifted: [Character: Character] = [
    "@": "2", "#": "3", "%": "5", "^": "6", "&": "7", "<": ",",
  ]
}

/// The tune that the piano plays by itself: broken chords, repeated.
struct PianoTune {
  /// The MIDI notes of four chords, from the lowest note up: C major, A minor, D minor seventh, G seventh.
  private static let chords = [
    [48, 60, 64, 67, 72], [45, 60, 64, 69, 72], [50, 57, 60, 65, 69], [43, 59, 62, 65, 71],
  ]
  private static let order = [0, 1, 2, 3, 4, 3, 2, 1]
  private static let step = Duration.milliseconds(250)

  /// The time of the next note.
  private(set) var next: HostTime
  private var count = 0

  init(start: HostTime) { next = start + PianoTune.step }

  /// Returns the MIDI note that is due at `next`, and advances the tune to the following note.
  mutating func nextNote() -> Int {
    defer {
      count += 1
      next = next + PianoTune.step
    }
    let chord = PianoTune.chords[count / 8 % PianoTune.chords.count]
    return chord[PianoTune.order[count % 8]]
  }
}

/// A source that plays a `PianoTune` on a console's piano until the user presses a key of the console.
final class PianoDemo: EventTimer {
  let name = "piano's tune"
  private let console: PianoConsole
  private var tune: PianoTune

  init(_ console: PianoConsole, start: HostTime) {
    self.console = console
    tune = PianoTune(start: start)
  }

  var nextTime: HostTime? { console.isPlayed ? nil : tune.next }

  func service(until now: HostTime) {
    while let time = nextTime, time <= now {
      console.play(tune.nextNote(), velocity: 0.55, for: .milliseconds(900), at: time)
    }
  }
}
