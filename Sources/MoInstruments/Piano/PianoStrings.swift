import CMoKernels
import MoMu

/// The strings of a piano, and the voices that sound.
///
/// - Real-time safe: all but `init`.
struct PianoStrings {
  /// The maximum number of sounding notes.
  static let polyphony = 48
  /// The note ID of all strikes: a strike has no release, so its key is held for a second.
  static let tapped: Int32 = .min
  /// The number of voices: 48 for sounding notes, and 48 for choked notes, which fade out within 25 ms to make room.
  private static let room = 96
  /// The frames between two checks for silent modes of a voice.
  private static let checkInterval = 1024
  /// The energy up to which the 8 modes of a vector count as silent: −110 dB.
  private static let silence: Float = 1e-11

  private let modes: PianoModes
  private let tapFrames: Int
  private let chokeFrames: Int
  private var voices = InlineArray<96, PianoVoice>(repeating: PianoVoice())
  /// The states of the modes of all voices, with one row for each voice.
  private var states: [Float]
  /// The buffer for one voice's sound.
  private var sound = [Float](repeating: 0, count: 64)
  private var pedal = false
  /// The number of voices that are not silent.
  private var sounding = 0

  init(sampleRate: Double, isStretched: Bool) {
    modes = PianoModes(sampleRate: sampleRate, isStretched: isStretched)
    tapFrames = Int(sampleRate)
    chokeFrames = Int(sampleRate * PianoModes.chokeSeconds)
    states = Array(repeating: 0, count: PianoStrings.room * PianoModes.row)
  }

  var isSounding: Bool { sounding > 0 }

  /// The number of notes that sound and are not being choked.
  var playing: Int { voices.indices.reduce(0) { $0 + (voices[$1].isPlaying ? 1 : 0) } }

  // MARK: Playing

  /// The gain that makes one note about as loud as a note of the other instruments.
  private static let gain: Float = 1.6

  mutating func setPedal(_ isDown: Bool) { pedal = isDown }

  /// Strikes the key nearest to the note's pitch.
  ///
  /// - Parameter hardness: the deviation of the hammer's hardness from normal, −0.5 … 0.5.
  mutating func strike(_ note: Note, hardness: Float) {
    guard note.pitch.isFinite, note.velocity > 0 else { return }
    let key = Int(max(21, min(note.pitch, 108)).rounded()) - 21
    let force = min(note.velocity, 1)
    choke(key: key)
    let slot = freeSlot()
    if voices[slot].condition == .silent { sounding += 1 }
    var voice = PianoVoice()
    voice.condition = .held
    voice.isDamped = PianoString(key: key).isDamped
    (voice.key, voice.id) = (key, note.id)
    if note.id == PianoStrings.tapped { voice.remaining = tapFrames }
    voice.vectors = modes.used[key]
    // The bass is on the left, as the player hears it; the sum of both channels is the same for all keys.
    let place = 0.3 * (Float(key) - 43.5) / 43.5
    (voice.left, voice.right) = (Self.gain * (1 - place), Self.gain * (1 + place))
    voice.energy = blow(slot: slot, key: key, force: force, hardness: hardness)
    voices[slot] = voice
  }

  mutating func release(id: Int32) {
    for index in voices.indices where voices[index].condition == .held && voices[index].id == id {
      voices[index].condition = .released
    }
  }

  mutating func releaseAll() {
    for index in voices.indices where voices[index].condition == .held { voices[index].condition = .released }
  }

  // MARK: Making room

  /// Makes the earlier notes of a key that is struck again fade out within 25 ms.
  ///
  /// In a real piano, the hammer stops the motion of the strings.
  private mutating func choke(key: Int) {
    for index in voices.indices where voices[index].isPlaying && voices[index].key == key {
      choke(slot: index)
    }
  }

  private mutating func choke(slot: Int) {
    voices[slot].condition = .choked
    voices[slot].remaining = chokeFrames
  }

  /// Returns the index of a voice for a new note; if `polyphony` notes already sound, chokes the faintest note.
  private mutating func freeSlot() -> Int {
    var (count, faintest, least) = (0, 0, Float.infinity)
    for index in voices.indices where voices[index].isPlaying {
      count += 1
      let weight = voices[index].energy * (voices[index].condition == .released ? 0.01 : 1)
      guard weight < least else { continue }
      (faintest, least) = (index, weight)
    }
    if count >= PianoStrings.polyphony { choke(slot: faintest) }
    var (slot, shortest) = (0, Int.max)
    for index in voices.indices {
      if voices[index].condition == .silent { return index }
      // More than 48 notes within 25 ms: reuse the voice that has been choked longest.
      guard voices[index].condition == .choked, voices[index].remaining < shortest else { continue }
      (slot, shortest) = (index, voices[index].remaining)
    }
    return slot
  }

  // MARK: Sounding

  /// Sets the modes of a voice to their state just after a blow of the hammer; returns the energy of the modes.
  private mutating func blow(slot: Int, key: Int, force: Float, hardness: Float) -> Float {
    let corner = Float(PianoString(key: key).hammerCorner(force: Double(force + 0.8 * hardness))) / 1000
    let level = force * force.squareRoot()
    let bend = 1 / (corner * corner)
    let (row, start) = (key * PianoModes.row, slot * PianoModes.row)
    var energy: Float = 0
    for index in 0..<Int(modes.used[key]) * 16 {
      let gain = 1 / (1 + modes.height[row + index] * bend)
      let value = modes.blow[row + index] * gain * gain * level
      states[start + index] = value
      energy += value * value
    }
    return energy
  }

  mutating func render(_ block: inout AudioBlock) {
    var first = 0
    while first < block.frames.count {
      let frames = min(64, block.frames.count - first)
      for slot in voices.indices where voices[slot].condition != .silent {
        render(slot: slot, into: &block, from: first, count: frames)
      }
      first += frames
    }
  }

  /// Adds the sound of one voice to the block, in stretches that end where the voice is checked for silence or changes
  /// its condition.
  private mutating func render(slot: Int, into block: inout AudioBlock, from first: Int, count: Int) {
    var done = 0
    while done < count && voices[slot].condition != .silent {
      let untilCheck = PianoStrings.checkInterval - voices[slot].age % PianoStrings.checkInterval
      let frames = min(count - done, untilCheck, voices[slot].remaining)
      for frame in 0..<frames { sound[frame] = 0 }
      turn(slot: slot, frames: frames)
      let (left, right) = (voices[slot].left, voices[slot].right)
      for frame in 0..<frames {
        block[first + done + frame, 0] += sound[frame] * left
        block[first + done + frame, 1] += sound[frame] * right
      }
      done += frames
      pass(slot: slot, frames: frames)
    }
  }

  private mutating func turn(slot: Int, frames: Int) {
    let voice = voices[slot]
    let row = voice.key * PianoModes.row
    let isFree = !voice.isDamped || voice.condition == .held || pedal
    let motion: PianoModes.Motion = voice.condition == .choked ? .choked : isFree ? .free : .damped
    PianoStrings.add(
      turn: modes.turns, row: motion.start + row, state: &states, start: slot * PianoModes.row,
      vectors: voice.vectors, to: &sound,
      frames)
  }

  private static func add(
    turn: [Float], row: Int, state: inout [Float], start: Int, vectors: Int32, to sound: inout [Float],
    _ frames: Int
  ) {
    turn.withUnsafeBufferPointer { turn in
      state.withUnsafeMutableBufferPointer { state in
        sound.withUnsafeMutableBufferPointer { out in
          guard let turn = turn.baseAddress, let state = state.baseAddress, let out = out.baseAddress else {
            return
          }
          momu_modes_add(turn + row, state + start, vectors, out, Int32(frames))
        }
      }
    }
  }

  /// Adds rendered frames to the age of a voice; if its `remaining` frames have passed, releases the key or, if the
  /// voice is choked, ends the voice.
  private mutating func pass(slot: Int, frames: Int) {
    voices[slot].age += frames
    if voices[slot].remaining != .max { voices[slot].remaining -= frames }
    if voices[slot].remaining == 0 {
      guard voices[slot].condition != .choked else { return end(slot) }
      if voices[slot].condition == .held { voices[slot].condition = .released }
      voices[slot].remaining = .max
    }
    if voices[slot].age % PianoStrings.checkInterval == 0 { dropSilentModes(slot) }
  }

  /// Drops the highest modes that have become silent, and ends the voice if all its modes are silent.
  private mutating func dropSilentModes(_ slot: Int) {
    var energy: Float = 0
    var top: Int32 = 0
    for vector in 0..<Int(voices[slot].vectors) {
      let start = slot * PianoModes.row + vector * 16
      var sum: Float = 0
      for index in start..<start + 16 { sum += states[index] * states[index] }
      if sum > PianoStrings.silence { top = Int32(vector) + 1 }
      energy += sum
    }
    (voices[slot].energy, voices[slot].vectors) = (energy, top)
    if top == 0 { end(slot) }
  }

  private mutating func end(_ slot: Int) {
    voices[slot].condition = .silent
    sounding -= 1
  }
}

/// A voice of the piano: a struck key and its condition.
struct PianoVoice: BitwiseCopyable {
  enum Condition: UInt8, BitwiseCopyable {
    /// The voice plays no note.
    case silent
    /// The key is down.
    case held
    /// The key is up.
    case released
    /// The note fades out within 25 ms, because the key is struck again or another note needs the voice.
    case choked
  }

  var condition = Condition.silent
  /// Whether the key has a damper.
  var isDamped = false
  /// The key, 0 … 87.
  var key = 0
  /// The ID of the note.
  var id: Int32 = 0
  /// The frames since the strike.
  var age = 0
  /// The frames until the key is released automatically, or until a choked voice is silent; `Int.max` for neither.
  var remaining = Int.max
  /// The number of vectors, groups of 8 modes, that are still rendered; the modes of all higher vectors are silent.
  var vectors: Int32 = 0
  /// The energy at the last check: the sum of the modes' squares.
  var energy: Float = 0
  /// The gain of the left channel.
  var left: Float = 0
  /// The gain of the right channel.
  var right: Float = 0

  /// Whether the voice counts as a sounding note.
  var isPlaying: Bool { condition == .held || condition == .released }
}
