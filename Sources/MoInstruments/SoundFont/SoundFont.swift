import Glibc
import MoDSP
import MoMu

/// The recorded instruments of a SoundFont file, played by FluidSynth.
///
/// FluidSynth allocates memory while it plays, so it runs on its own thread (`mo-synth`). A note therefore
/// sounds later than on `Piano`. The delay is the time of the frames that the device requests at once, plus
/// 3 ms. With the usual 256 frames at 48 kHz, the delay is 8.3 ms. The instrument measures the delay during play. If
/// the device requests more frames than before, the sound is interrupted once. The delay is then longer for the rest of
/// the run, up to 0.2 s. In addition, FluidSynth works in steps of 64 frames (1.3 ms). Offline, FluidSynth renders on
/// the calling thread, without the delay.
///
/// A strike plays the MIDI note 60, which ends after 0.25 s. `InstrumentEvent.noteMove` has no effect.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: all but `init` and `prepare`.
public struct SoundFont: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "soundfont", summary: "the recorded instruments of a SoundFont file", plays: 0...127, tail: 30,
    voices: 128,
    mapping: Piano.sheet.mapping)

  /// The parameters of the SoundFont.
  public enum Control: Int, InstrumentControl {
    /// The sustain pedal: while it is down, notes ring on after their keys are released.
    case pedal
    /// The instrument of the file, as a MIDI program number, 0…127.
    ///
    /// If the file lacks this instrument, its first instrument plays. Banks other than 0 are used only if bank 0 has no
    /// instrument 0.
    case preset

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .pedal: .toggle("pedal", about: "notes ring on after their keys")
      case .preset:
        Parameter(
          "preset", 0...127, default: 0, smoothing: 0, step: 1,
          about: "which instrument; 0 is most often a piano")
      }
    }
  }

  private let path: String?
  private let library: FluidLibrary?
  private var synth: FluidSynth?
  /// The rendering thread; nil offline, when the synth renders on the calling thread.
  private var thread: FluidThread?
  private var pedal: Int32 = 0
  private var preset: Int32 = 0
  private var keys = HeldKeys()
  /// The frames until the note of the last strike is released; 0 if no strike waits for its release.
  private var strikeLeft = 0
  private var strikeFrames = 0

  private static let strikeID = Int32.min

  /// Creates an instrument that plays the sounds of a SoundFont file.
  ///
  /// - Throws: `SoundFontError` if the file is missing or not a SoundFont, or if FluidSynth is not
  ///   installed.
  public init(path: String) throws(SoundFontError) { try self.init(path: path, library: FluidLibrary.loaded) }

  init(path: String, library: FluidLibrary?) throws(SoundFontError) {
    try SoundFont.check(path)
    guard let library else { throw .needsLibrary }
    guard let synth = FluidSynth(path: path, sampleRate: 48_000, library: library) else {
      throw .damaged(path: path)
    }
    (self.path, self.library, self.synth) = (path, library, synth)
  }

  /// Creates a silent instrument without a file.
  public init(seed: UInt64?) { (path, library) = (nil, nil) }

  /// Throws an error if the file does not begin like a SoundFont: with `RIFF`, four bytes that give a length, and
  /// `sfbk`.
  private static func check(_ path: String) throws(SoundFontError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 12)
    let count = read(file, &head, head.count)
    guard count >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
    guard count == 12, head[0..<4].elementsEqual("RIFF".utf8), head[8..<12].elementsEqual("sfbk".utf8) else {
      throw .notSoundFont(path: path)
    }
  }

  /// Reloads the file for a sample rate.
  ///
  /// The instrument is silent if the rate is outside 8,000 … 96,000 Hz, or the file cannot be read. The log says why.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    let isOffline = Run.current.isOffline
    let device = MoAudio.blockFrames
    prepare(
      sampleRate: sampleRate, delay: isOffline ? nil : max(device, blockFrames) + Int(0.003 * sampleRate))
  }

  /// Reloads the file for a sample rate, and starts the rendering thread if `delay` is not nil.
  ///
  /// - Parameter delay: the initial delay from an event to its sound, in frames; nil to render on the calling thread.
  package mutating func prepare(sampleRate: Double, delay: Int?) {
    (pedal, preset, thread) = (0, 0, nil)
    (keys, strikeLeft, strikeFrames) = (HeldKeys(), 0, Int(0.25 * sampleRate))
    guard let path, let library else { return }
    guard FluidSynth.rates.contains(sampleRate) else {
      MoLog.log(
        .warning,
        "the SoundFont is silent: FluidSynth plays at 8000 to 96000 Hz, not \(Int(sampleRate)); add --rate 48000"
      )
      synth = nil
      return
    }
    synth = FluidSynth(path: path, sampleRate: sampleRate, library: library)
    if let found = synth?.replacement {
      MoLog.log(
        .notice,
        "\(path) has no instrument 0 in bank 0, so instrument \(found.number) of bank \(found.bank), "
          + "\(found.name.printable), plays; to choose another instrument, add --set preset=NUMBER")
    }
    guard let synth, let delay else { return }
    do {
      thread = try FluidThread(synth, delay: delay, sampleRate: sampleRate)
    } catch {
      MoLog.log(.warning, "the SoundFont is silent: \(error)")
      self.synth = nil
    }
  }

  /// Handles an event that is due at the next frame.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    follow(controls)
    switch event {
    case .noteOn(let note): start(note)
    case .noteOff(let note): end(id: note.id)
    case .strike(let force):
      start(Note(60, velocity: force, id: Self.strikeID))
      strikeLeft = strikeFrames
    case .bend(let semitones): send(.bend, Int32((8192 + max(-24, min(semitones, 24)) / 24 * 8191).rounded()))
    case .allOff:
      (keys, strikeLeft) = (HeldKeys(), 0)
      send(.allOff)
    case .noteMove, .motion, .line, .rhythm: break
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    follow(controls)
    let frames = block.frames.count
    // A strike is released automatically, at its frame.
    let strikeEnd = strikeLeft > 0 && strikeLeft <= frames ? strikeLeft : nil
    strikeLeft = max(0, strikeLeft - frames)
    if let thread {
      if let strikeEnd { end(id: Self.strikeID, after: strikeEnd) }
      return thread.render(&block)
    }
    let part = strikeEnd ?? frames
    write(0..<part, of: &block)
    if strikeEnd != nil { end(id: Self.strikeID) }
    if part < frames { write(part..<frames, of: &block) }
  }

  /// Renders a range of the block's frames on the calling thread; offline only.
  private func write(_ frames: Range<Int>, of block: inout AudioBlock) {
    guard let synth else { return }
    // Offline rendering has no deadline, so FluidSynth may allocate.
    RealTimeCheck.exempt {
      synth.library.useOneCore()
      block.output.withUnsafeMutableBufferPointer { output in
        if let samples = output.baseAddress {
          synth.write(samples + 2 * frames.lowerBound, frames: frames.count)
        }
      }
    }
  }

  private mutating func start(_ note: Note) {
    let key = key(note)
    if let left = keys.start(id: note.id, on: key) { send(.noteOff, left) }
    send(.noteOn, key, force(note.velocity))
  }

  private mutating func end(id: Int32, after frames: Int = 0) {
    if let key = keys.end(id: id) { send(.noteOff, key, after: frames) }
  }

  /// Sends the pedal and the preset to the synth if they have changed.
  private mutating func follow(_ controls: Controls<Control>) {
    let (pedal, preset) = (controls.isOn(.pedal) ? Int32(127) : 0, Int32(controls.goal(.preset)))
    if pedal != self.pedal { send(.pedal, pedal) }
    if preset != self.preset { send(.preset, preset) }
    (self.pedal, self.preset) = (pedal, preset)
  }

  private func send(
    _ kind: FluidThread.Command.Kind, _ first: Int32 = 0, _ second: Int32 = 0, after frames: Int = 0
  ) {
    let command = FluidThread.Command(kind: kind, first: first, second: second)
    if let thread { return thread.send(command, after: frames) }
    guard let synth else { return }
    RealTimeCheck.exempt { synth.execute(command) }
  }

  private func key(_ note: Note) -> Int32 { Int32(max(0, min(note.pitch, 127)).rounded()) }

  private func force(_ velocity: Float) -> Int32 { Int32(max(1, min(velocity * 127, 127)).rounded()) }
}

/// The key that each note holds down; a key is released with the last of its notes.
///
/// A MIDI synthesiser identifies a note by its key, but MoMu identifies a note by an ID. A note may begin on a key that
/// another note already holds. A note may end with another pitch than it began with.
///
/// - Real-time safe: yes.
struct HeldKeys {
  private struct Hold: BitwiseCopyable {
    var id: Int32 = 0
    var key: Int32 = 0
  }

  /// The notes and their keys, the oldest first; only the first `count` elements are in use.
  private var holds = InlineArray<128, Hold>(repeating: Hold())
  private(set) var count = 0

  /// Begins a note on a key; first ends a note with the same ID or, if 128 notes are held, the oldest note.
  ///
  /// - Returns: the key of the ended note, which must be released; nil if no key must be released.
  mutating func start(id: Int32, on key: Int32) -> Int32? {
    let left = end(id: id) ?? (count == holds.count ? end(at: 0) : nil)
    holds[count] = Hold(id: id, key: key)
    count += 1
    return left == key ? nil : left
  }

  /// Ends a note.
  ///
  /// - Returns: the key to release; nil if no held note has this ID, or if another note holds the key, too.
  mutating func end(id: Int32) -> Int32? {
    for index in 0..<count where holds[index].id == id { return end(at: index) }
    return nil
  }

  /// Forgets all notes; their keys must be released by the caller.
  mutating func clear() { count = 0 }

  private mutating func end(at place: Int) -> Int32? {
    let key = holds[place].key
    count -= 1
    for index in place..<count { holds[index] = holds[index + 1] }
    for index in 0..<count where holds[index].key == key { return nil }
    return key
  }
}

/// An error in playing a SoundFont; its text says what happened and what to type.
public enum SoundFontError: Error, CustomStringConvertible, Equatable {
  /// The file cannot be opened.
  case cannotOpen(path: String, reason: String)
  /// The file is not a SoundFont.
  case notSoundFont(path: String)
  /// The file begins like a SoundFont, but FluidSynth cannot read it.
  case damaged(path: String)
  /// FluidSynth is not installed.
  case needsLibrary

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason):
      "cannot open the SoundFont \(path): \(reason); to install a small one, type sudo apt install timgm6mb-soundfont, "
        + "then --soundfont /usr/share/sounds/sf2/TimGM6mb.sf2"
    case .notSoundFont(let path):
      "\(path) is not a SoundFont: choose a SoundFont file, whose name ends in .sf2 or .sf3"
    case .damaged(let path): "\(path) is damaged: FluidSynth cannot read it; choose another file"
    case .needsLibrary:
      "SoundFonts need FluidSynth: install it with sudo apt install libfluidsynth3, or play without --soundfont"
    }
  }
}
