import MoCore
import MoDSP
import MoMu

/// A drum machine: plays its `DrumBoard` on the beat, each step at its exact frame.
///
/// ```swift
/// let board = DrumBoard()
/// try board.load("kick x...x...x...x...")
/// try MoAudio.play(DrumMachine(board))
/// board.rhythm.start()
/// ```
///
/// The machine follows the board's own rhythm. While the board's rhythm is stopped, the machine follows the rhythm of
/// the bus, if the bus has a running rhythm. A note that you send plays a drum of the machine's kit: its pitch is a key
/// of the General MIDI percussion map. A strike plays the sound of the first row.
///
/// - Thread: see `Instrument`; any thread may use the board.
/// - Real-time safe: all but `init` and `prepare`.
public struct DrumMachine: Instrument, NoteMaker {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "drum-machine", summary: "a grid of drums on the beat, three rows of sixteen at first", tail: 6,
    voices: 10,
    grid: .sixteenth)

  /// The board that is played.
  public let board: DrumBoard
  private let samples: SampleKit?
  private var bank: SampleBank?
  private var voices: InlineArray<16, SampleVoice> = .init(repeating: SampleVoice())
  private var kit: DrumKit
  private var steps = SwungSteps()
  private var sampleRate = 48_000.0
  private var isOwn = false
  /// The step of the bus's rhythm that is due at the first frame of the next block; nil for none.
  private var due: Int64?
  package let madeNotes = MadeNotes()

  /// Creates a machine with its own new board, which has the drum pattern of `simpleBoard`.
  public init(seed: UInt64? = nil) { self.init(Self.simpleBoard(), seed: seed) }

  /// Returns a board with a simple drum pattern: kick, snare and hi-hat in 4/4.
  package static func simpleBoard() -> DrumBoard {
    let board = DrumBoard()
    for step in [0, 6, 8] { board[0, step] = 0.9 }
    for step in [4, 12] { board[1, step] = 0.8 }
    for step in stride(from: 0, to: 16, by: 2) { board[2, step] = step % 4 == 0 ? 0.7 : 0.5 }
    return board
  }

  /// Creates a machine that plays a board.
  ///
  /// - Parameters:
  ///   - board: the board to play; it may change during play.
  ///   - samples: sounds from files, one for each row; nil for the synthesised kit.
  ///   - seed: the seed of the kit's noise; nil for the next seed of `SeedSource`.
  public init(_ board: DrumBoard, samples: SampleKit? = nil, seed: UInt64? = nil) {
    self.board = board
    self.samples = samples
    kit = DrumKit(seed: seed)
  }

  /// Resets the machine and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    kit.prepare(sampleRate: sampleRate)
    bank = samples?.bank(sampleRate: sampleRate)
    if let bank { voices = bank.sounds }
    steps = SwungSteps()
    due = nil
  }

  /// The swing of the board, 0 … 1; see `SwungSteps`.
  public var swing: Double { Double(board.swing) }

  /// Handles an event that is due at the next frame.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    switch event {
    case .noteOn(let note): kit.strike(DrumSound(note: note.pitch), note.velocity)
    case .strike(let force): strike(row: 0, force)
    case .line(let line): follow(line)
    default: break
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    let beat = board.rhythm.beat
    isOwn = beat.isPlaying(at: block.time(0))
    steps.swing = swing
    if let step = due { play(step, at: block.time(0), frame: block.position) }
    due = nil
    var next = steps.next(in: block, of: beat)
    for frame in block.frames {
      while let step = next, step.frame <= frame {
        if !step.isCountIn { play(step.index, at: step.time, frame: block.position &+ Int64(frame)) }
        next = steps.next(in: block, of: beat)
      }
      var sound = kit.mix()
      if samples != nil {
        for row in 0..<board.layout.rows where voices[row].isSounding { sound += voices[row].tick() }
      }
      let bounded = DrumKit.bounded(sound)
      block[frame, 0] = bounded.x
      if block.outputs > 1 { block[frame, 1] = bounded.y }
    }
  }

  /// Begins all sounds of a step; `index` counts the steps from 0 at the start of bar 1.
  private mutating func play(_ index: Int64, at time: HostTime, frame: Int64) {
    let (pattern, step) = board.place(ofStep: index)
    for row in 0..<board.layout.rows {
      let force = board[row, step, pattern: pattern]
      guard force > 0 else { continue }
      strike(row: row, force)
      if !board.isMuted(row: row) { madeNotes.add(board.sound(row: row), force * board.level(row: row)) }
    }
    madeNotes.flush(at: time)
    board.ticks.played(DrumTick(time: time, frame: frame, index: index, pattern: pattern, step: step))
  }

  private mutating func strike(row: Int, _ force: Float) {
    guard !board.isMuted(row: row) else { return }
    let level = board.level(row: row)
    if voices[row].isThere {
      voices[row].strike(force * level, sampleRate: sampleRate)
    } else {
      kit.strike(board.sound(row: row), force, gain: level)
    }
  }

  /// Sets `due` to the step that begins at a grid line of the bus's rhythm; does nothing while the board's own rhythm
  /// plays, or during a count-in.
  private mutating func follow(_ line: GridLine) {
    guard !isOwn, !line.isCountIn else { return }
    let stepBeats = Double(line.position.meter.unit) / 16
    let perBar = max(1, (Double(line.position.meter.beatsPerBar) / stepBeats).rounded(.down))
    let index = Double(line.position.bar - 1) * perBar + (line.position.beat / stepBeats).rounded()
    if abs(index) < 1e15 { due = Int64(index) }
  }
}
