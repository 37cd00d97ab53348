import MoDSP
import MoMu

/// A band of drums, bass, guitar and keyboard, in one of five styles.
///
/// The band plays more notes if the players move more. It plays while a rhythm runs. Each bar depends on the style, the
/// activity at the bar line, the bar's number and the seed. Machines with the same style, activity, bar number and
/// seed play the same notes. The complexity has five levels, and changes by at most one level per bar. A machine that
/// joins late plays the same notes as the others after the activity has stayed constant for five bars.
///
/// A note that you send is played on the keyboard. Each strike plays the next drum of the sequence kick, hi-hat,
/// snare, hi-hat.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct Band: Instrument, NoteMaker {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "band", summary: "drums, bass, guitar and keyboard that play along, busier the more you move",
    tail: 7,
    voices: 4, grid: .sixteenth, mapping: "activity 0.02..0.8 -> activity 0..1 smooth 0.3")

  /// The parameters of the band.
  public enum Control: Int, InstrumentControl {
    /// The style from the next bar on: 0 rock, 1 funk, 2 reggae, 3 bossa, 4 house.
    case style
    /// The amount of movement that sets the number of notes, 0 … 1.
    case activity
    /// The key, in semitones above or below A.
    case key
    /// Whether the drums play: 0 or 1.
    case drums
    /// Whether the bass plays: 0 or 1.
    case bass
    /// Whether the guitar plays: 0 or 1.
    case guitar
    /// Whether the keyboard plays: 0 or 1.
    case keys
    /// The loudness of the drums, 0 … 1.
    case drumVolume
    /// The loudness of the bass, 0 … 1.
    case bassVolume
    /// The loudness of the guitar, 0 … 1.
    case guitarVolume
    /// The loudness of the keyboard, 0 … 1.
    case keyVolume

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .style:
        Parameter(
          "style", 0...Float(Style.all.count - 1), default: 0, smoothing: 0, step: 1,
          about: "0 rock, 1 funk, 2 reggae, 3 bossa, 4 house; from the next bar on")
      case .activity: Parameter("activity", 0...1, default: 0.3, smoothing: 0, about: "how much is played")
      case .key:
        Parameter("key", -6...6, default: 0, unit: "semitones", smoothing: 0, step: 1, about: "from A")
      case .drums: .toggle("drums", default: true)
      case .bass: .toggle("bass", default: true)
      case .guitar: .toggle("guitar", default: true)
      case .keys: .toggle("keys", default: true)
      case .drumVolume: Parameter("drum-volume", 0...1, default: 0.8, about: "how loud the drums are")
      case .bassVolume: Parameter("bass-volume", 0...1, default: 0.8, about: "how loud the bass is")
      case .guitarVolume: Parameter("guitar-volume", 0...1, default: 0.7, about: "how loud the guitar is")
      case .keyVolume: Parameter("key-volume", 0...1, default: 0.7, about: "how loud the keyboard is")
      }
    }
  }

  private let styles: InlineArray<5, Style> = [Style.rock, .funk, .reggae, .bossa, .house]
  private let seed: UInt64
  private var groove: Groove
  private var style = 0
  private var kit: DrumKit
  private var bass = BassVoice()
  private var guitar: GuitarVoice
  private var keys = KeysVoice()
  private var lead = KeysVoice()
  private var blocker = StereoBlocker()
  private var sampleRate = 48_000.0
  package let madeNotes = MadeNotes()

  /// Creates a band at rest.
  ///
  /// - Parameter seed: the seed of all random choices; nil for the next seed of `SeedSource`. Machines that must play
  ///   the same notes need the same seed.
  public init(seed: UInt64? = nil) {
    var seeds = Noise(seed: seed)
    self.seed = seeds.bits()
    kit = DrumKit(seed: seeds.bits())
    guitar = GuitarVoice(seed: seeds.bits())
    groove = Groove(seed: self.seed, bar: 0, complexity: Complexity())
  }

  /// Whether any instrument of the band makes a sound.
  public var isSounding: Bool {
    kit.isSounding || bass.isSounding || guitar.isSounding || keys.isSounding
      || lead.isSounding
  }

  /// Resets the band and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    kit.prepare(sampleRate: sampleRate)
    bass.prepare(sampleRate: sampleRate)
    guitar.prepare(sampleRate: sampleRate)
    keys.prepare(sampleRate: sampleRate)
    lead.prepare(sampleRate: sampleRate)
    blocker.prepare(sampleRate: sampleRate)
    groove = Groove(seed: seed, bar: 0, complexity: Complexity())
  }

  /// The swing of the style that plays in the current bar, 0 … 1; see `SwungSteps`.
  public var swing: Double { Double(styles[style].swing) }

  /// Handles an event that is due at the next frame.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .noteOn(let note):
      lead.strike(note.pitch, SIMD4(repeating: 0), note.velocity, frames: Int(0.8 * sampleRate))
    case .strike(let force): kit.strikeNext(force)
    case .line(let line): follow(line, controls)
    case .rhythm(isRunning: false), .allOff: bass.damp()
    default: break
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    madeNotes.flush(at: block.time(0))
    for frame in block.frames {
      var sound = SIMD2(repeating: bass.tick() * controls[.bassVolume, frame])
      sound += guitar.tick() * controls[.guitarVolume, frame] * SIMD2(0.75, 1.1)
      sound += (keys.tick() + Self.leadGain * lead.tick()) * controls[.keyVolume, frame] * SIMD2(1.1, 0.75)
      let bounded = DrumKit.bounded(blocker.tick(sound) + kit.mix() * controls[.drumVolume, frame])
      block[frame, 0] = bounded.x
      if block.outputs > 1 { block[frame, 1] = bounded.y }
    }
  }

  /// The gain of the notes that the user sends, which makes each note about as loud as a note of other instruments.
  private static let leadGain: Float = 1.3

  /// Plays the sixteenth that begins at `line` on drums, bass, guitar and keyboard; does nothing during a count-in.
  private mutating func follow(_ line: GridLine, _ controls: Controls<Control>) {
    guard !line.isCountIn else { return }
    let step = line.sixteenth
    if step == 0 || line.position.bar != groove.bar { begin(bar: line.position.bar, controls) }
    play(line, controls)
  }

  /// Chooses the style, the complexity and the pattern of a bar that begins.
  private mutating func begin(bar: Int, _ controls: Controls<Control>) {
    guard bar != groove.bar else { return }
    let before = groove.complexity
    // A machine that joins late begins at the level that all others have.
    let isNext = bar == groove.bar + 1 && groove.bar > 0
    let activity = controls.goal(.activity)
    let complexity = isNext ? before.next(activity) : Complexity(activity)
    groove = Groove(seed: seed, bar: bar, complexity: complexity, after: isNext ? before : nil)
    style = max(0, min(Int(controls.goal(.style)), styles.count - 1))
  }

  private mutating func play(_ line: GridLine, _ controls: Controls<Control>) {
    let step = line.sixteenth
    // Bars longer than sixteen steps start the pattern again.
    let place = step % 16
    let chord = styles[style].chords[(groove.bar - 1) & 3]
    // A1 plus the key, in the middle of the bass range.
    let root = 33 + controls.goal(.key) + Float(chord.root > 6 ? chord.root - 12 : chord.root)
    if controls.isOn(.drums) { playDrums(place) }
    if controls.isOn(.bass) {
      let force = groove.force(styles[style].bass, place, .bass)
      if force > 0 {
        let pitch = root + Float(styles[style].bassNotes[place])
        bass.strike(pitch, force)
        madeNotes.add(pitch, force, length: 1.8 * line.length)
      }
    }
    if controls.isOn(.guitar) {
      let force = groove.force(styles[style].guitar, place, .guitar)
      if force > 0 {
        guitar.strum(root + 12, chord.notes, force, isUp: place % 4 != 0, isShort: place % 2 == 1)
        make(root + 12, chord, force, length: (place % 2 == 1 ? 0.5 : 1.8) * line.length, part: 1)
      }
    }
    if controls.isOn(.keys) {
      let force = groove.force(styles[style].keys, place, .keys)
      let frames = Double(styles[style].keysHold) * line.length * sampleRate
      if force > 0 {
        keys.strike(root + 24, chord.notes, force, frames: Int(frames))
        make(root + 24, chord, force, length: frames / sampleRate, part: 2)
      }
    }
  }

  /// Adds the notes of a chord to `madeNotes`, for MIDI out; `part` is 1 for the guitar, 2 for the keyboard.
  private func make(_ root: Float, _ chord: Style.Chord, _ force: Float, length: Double, part: UInt8) {
    let notes = chord.notes
    for index in 0..<4 { madeNotes.add(root + Float(notes[index]), force, length: length, part: part) }
  }

  private mutating func strike(_ drum: DrumSound, _ force: Float, gain: Float = 1) {
    kit.strike(drum, force, gain: gain)
    madeNotes.add(drum, force * gain)
  }

  private mutating func playDrums(_ place: Int) {
    if place == 0, groove.rises { strike(.crash, 0.8) }
    let isFill = place >= 16 - groove.fillSteps
    if isFill, let (sound, force) = groove.fill(place) { strike(sound, force) }
    let rows: InlineArray<5, DrumSound> = [.kick, .snare, .closedHat, .openHat, styles[style].colour]
    let layers: InlineArray<5, Groove.Layer> = [.kick, .snare, .hat, .openHat, .colour]
    for row in rows.indices where !isFill || row == 0 {
      let force = groove.force(styles[style].drums[row], place, layers[row])
      if force > 0 { strike(rows[row], force, gain: row == 2 ? 0.8 : 1) }
    }
  }
}
