import Glibc
import MoDSP

/// An arpeggio that plays in time by itself for as long as the device is moved.
///
/// Movement adds energy to the arpeggio. With more energy, it plays more, louder and brighter notes. At rest, the
/// energy decays within two seconds. Tilt moves the arpeggio up and down the scale. While a rhythm runs, the arpeggio
/// plays on the rhythm's sixteenths. Otherwise it begins immediately and follows its own tempo. A strike adds energy
/// for four beats of the parameter `tempo`, also while a rhythm runs. A held note sets the lowest note of the arpeggio,
/// and keeps the energy at least at the note's velocity.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct Arpeggio: Instrument, NoteMaker {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "arpeggio", summary: "notes in time by themselves: move it to wind it up, tilt for the pitch",
    plays: 48...84, holds: true, tail: 6, voices: 8, grid: .sixteenth)

  /// The parameters of the arpeggio.
  public enum Control: Int, InstrumentControl {
    /// The tempo while no rhythm runs, in beats per minute.
    case tempo
    /// The order of the notes: 0 up, 1 down, 2 up and down, 3 broken.
    case figure
    /// The brightness of the notes, 0 … 1.
    case brightness
    /// The time in which a note falls by 60 dB, in seconds.
    case decay
    /// The lowest note of the arpeggio while the device is held level, as a MIDI note number.
    case root
    /// The scale of the notes, as a number: 0 is major pentatonic, 5 chromatic.
    case scale
    /// The energy without movement: 0 is silent, 1 plays all sixteenths.
    case wind

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .tempo:
        Parameter(
          "tempo", 40...240, default: 108, unit: "beats/min", smoothing: 0,
          about: "tempo while no rhythm runs")
      case .figure:
        Parameter(
          "figure", 0...Float(ArpeggioFigure.count - 1), default: 2, smoothing: 0, step: 1,
          about: ArpeggioFigure.about)
      case .brightness: Parameter("brightness", 0...1, default: 0.4, smoothing: 0)
      case .decay: Parameter("decay", 0.1...4, default: 1.2, unit: "s", curve: .exponential, smoothing: 0)
      case .root:
        Parameter("root", 36...72, default: 57, smoothing: 0, step: 1, about: "lowest note, held level")
      case .scale: NamedScale.parameter(default: 3)
      case .wind:
        Parameter(
          "wind", 0...1, default: 0, smoothing: 0, about: "winding without movement")
      }
    }
  }

  /// The tilt from one note of the scale to the next, in degrees.
  private static let stepWidth: Float = 5.7

  private var tines = Voices(Self.sheet.voices) { TineVoice() }
  private var spring = ArpeggioSpring()
  private var ladder = TiltLadder()
  private var effort = MotionEffort()
  private var sampleRate = 48_000.0
  private var held: Note?
  private var isRhythmRunning = false
  /// The number of notes that have been played since the arpeggio began.
  private var step = 0
  /// The number of the current or next sixteenth in the bar, 0 … 15.
  private var sixteenth = 0
  /// The number of frames until the next sixteenth; used only while no rhythm runs.
  private var untilNext = 0.0
  private var isPlaying = false
  package let madeNotes = MadeNotes()

  /// Creates an arpeggio at rest; the seed is ignored, because nothing in an arpeggio is random.
  public init(seed: UInt64?) {}

  /// Resets the arpeggio and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    tines.prepare(sampleRate: sampleRate)
    spring = ArpeggioSpring(sampleRate: sampleRate)
    (ladder, effort, held, isRhythmRunning) = (TiltLadder(), MotionEffort(), nil, false)
    (step, sixteenth, untilNext, isPlaying) = (0, 0, 0, false)
  }

  /// Handles a note, a strike, a movement or a line of the rhythm's grid.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .motion(let motion):
      effort.follow(motion)
      spring.move(effort.value)
      _ = ladder.climb(to: motion.tilt.roll, width: Self.stepWidth, most: 7)
    case .strike(let force): spring.strike(force, for: 240 / Double(controls.goal(.tempo)))
    case .noteOn(let note):
      held = note
      isPlaying = isPlaying && isRhythmRunning
    case .noteMove(let note): if held?.id == note.id { held = note }
    case .noteOff(let note): if held?.id == note.id { held = nil }
    case .allOff:
      held = nil
      spring.stop()
      tines.handle(event)
    case .bend: tines.handle(event)
    case .rhythm(let isRunning): isRhythmRunning = isRunning
    case .line(let line): if isRhythmRunning { keepTime(line, controls) }
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    var frame = 0
    while frame < block.frames.count {
      let next = isRhythmRunning ? block.frames.count : min(block.frames.count, frame + run(controls))
      madeNotes.flush(at: block.time(frame))
      for _ in frame..<next { spring.tick() }
      if !isRhythmRunning { untilNext -= Double(next - frame) }
      tines.render(&block, frame..<next, ())
      frame = next
    }
  }

  /// Returns how far the arpeggio is wound up, 0 … 1; a value below 0.04 counts as 0, at which the arpeggio stops.
  private func wound(_ controls: Controls<Control>) -> Float {
    let wound = max(max(spring.wound, held?.velocity ?? 0), controls.goal(.wind))
    return wound < 0.04 ? 0 : wound
  }

  /// Plays the next sixteenth in the arpeggio's own tempo, if the sixteenth is due; returns the number of frames until
  /// the following sixteenth.
  ///
  /// If the arpeggio is not wound up, the result is larger than any block.
  private mutating func run(_ controls: Controls<Control>) -> Int {
    let wound = wound(controls)
    guard wound > 0 else {
      isPlaying = false
      // Only an event can wind it up again, and a block ends before each event.
      return 1 << 20
    }
    if !isPlaying { (isPlaying, step, sixteenth, untilNext) = (true, 0, 0, 0) }
    if untilNext < 1 {
      play(wound, controls, length: 15 / Double(controls.goal(.tempo)))
      sixteenth = (sixteenth + 1) & 15
      untilNext += 15 * sampleRate / Double(controls.goal(.tempo))
    }
    return Int(untilNext)
  }

  /// Plays the sixteenth that begins at a line of the rhythm's grid.
  ///
  /// If the arpeggio is not wound up, or during a count-in, no note plays.
  private mutating func keepTime(_ line: GridLine, _ controls: Controls<Control>) {
    let wound = wound(controls)
    guard wound > 0, !line.isCountIn else {
      (isPlaying, step) = (false, 0)
      return
    }
    isPlaying = true
    sixteenth = line.sixteenth & 15
    play(wound, controls, length: line.length)
  }

  /// Plays the next note of the figure, unless the arpeggio is wound up too little for the current sixteenth.
  ///
  /// - Parameters:
  ///   - wound: how far the arpeggio is wound up, 0 … 1.
  ///   - length: the length of a sixteenth, in seconds.
  private mutating func play(_ wound: Float, _ controls: Controls<Control>, length: Double) {
    guard ArpeggioFigure.sounds(sixteenth, wound: wound) else { return }
    let root = held.map { Int($0.pitch.rounded()) } ?? Int(controls.goal(.root))
    let scale = NamedScale.chosen(controls.goal(.scale), root: root)
    let degree = ArpeggioFigure.degree(Int(controls.goal(.figure)), step: step, size: scale.count)
    let lift = held == nil ? ladder.step ?? 0 : 0
    // A key between two semitones keeps its tuning.
    let off = held.map { $0.pitch - $0.pitch.rounded() } ?? 0
    let pitch = max(0, min(Float(scale.note(degree + lift)) + off, 127))
    let brightness = min(1, controls.goal(.brightness) * (0.5 + wound))
    let decay = controls.goal(.decay)
    tines.adjust { ($0.brightness, $0.decay) = (brightness, decay) }
    let force = (0.35 + 0.65 * wound) * ArpeggioFigure.accent(sixteenth)
    tines.start(Note(pitch, velocity: force, id: Int32(step & 0xFFFF)))
    madeNotes.add(pitch, force, length: 0.9 * length)
    step += 1
  }
}
