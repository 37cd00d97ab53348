#if STK
  import CMoSTK
  import MoInstruments

  /// The voices of an STK instrument; each voice plays a single note.
  ///
  /// The compiler does not check `Sendable` here: the set-up thread creates and releases the voices, and only the audio
  /// thread uses them in between.
  final class StkVoices: @unchecked Sendable {
    /// The ID of the note that sounds while a shaker is shaken.
    private static let shaking: Int32 = .min + 1

    private struct Voice {
      let stk: OpaquePointer
      var id: Int32 = 0
      var pitch: Float = 60
      var isHeld = false
      /// The number of the voice's note in the order of the starts.
      var order = 0
      var isSounding = false
      /// Whether the voice fades out to make room for another note.
      var isFading = false
    }

    private var voices: [Voice] = []
    /// The number of notes that were started so far.
    private var begun = 0
    private var sound = [Float](repeating: 0, count: 64)
    /// The number of silent frames after which a voice has ended.
    private let framesUntilRest: Int32
    /// The largest number of notes that sound at the same time; voices that fade out are not counted.
    private let count: Int

    /// Creates enough voices for `count` notes, and for notes that fade out.
    ///
    /// - Throws: `StkError` if STK cannot create a voice; the error has STK's reason.
    init(_ kind: momu_stk_kind, name: String, count: Int, sampleRate: Double, rawWaves: String)
      throws(StkError)
    {
      (framesUntilRest, self.count) = (Int32(0.05 * sampleRate), count)
      // Half as many spare voices are enough, because each fades for only 5 ms.
      for _ in 0..<count + max(2, count / 2) {
        var reason = [CChar](repeating: 0, count: 256)
        guard let stk = momu_stk_make(kind, sampleRate, rawWaves, &reason, reason.count) else {
          let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
          throw .refused(instrument: name, reason: String(decoding: text, as: UTF8.self))
        }
        voices.append(Voice(stk: stk))
      }
    }

    deinit { for voice in voices { momu_stk_free(voice.stk) } }

    var isSounding: Bool { voices.contains { $0.isSounding } }

    /// Begins a note with a silent voice.
    ///
    /// If `count` notes sound already, the oldest released note fades out within 5 ms. If no note is released, the
    /// oldest note fades out. The result is the index of the note's voice.
    @discardableResult
    func start(_ note: Note, bend: Float) -> Int {
      if voices.count(where: { $0.isSounding && !$0.isFading }) >= count { fadeOldest() }
      let chosen = freeVoice
      begun += 1
      voices[chosen].id = note.id
      voices[chosen].pitch = note.pitch
      voices[chosen].order = begun
      (voices[chosen].isHeld, voices[chosen].isSounding, voices[chosen].isFading) = (true, true, false)
      momu_stk_note_on(voices[chosen].stk, MoFun.midiToHz(Double(note.pitch + bend)), Double(note.velocity))
      return chosen
    }

    /// Holds the shaking of a shaker for the next 64 frames or fewer, as loud as a strike of the given force.
    ///
    /// - Parameter pitch: the number of the kind of shaker.
    /// - Returns: whether a note began, because none of this kind was shaken.
    func shake(pitch: Float, force: Float) -> Bool {
      let sounding = voices.firstIndex {
        $0.isSounding && !$0.isFading && $0.id == Self.shaking && $0.pitch == pitch
      }
      let index = sounding ?? start(Note(pitch, velocity: 0, id: Self.shaking), bend: 0)
      // So a strike replaces the oldest strike, not the shaking.
      begun += 1
      voices[index].order = begun
      // The rattles of steady shaking add up, so less energy is as loud as a strike.
      momu_stk_shake(voices[index].stk, 0.15 * Double(force))
      return sounding == nil
    }

    private func fadeOldest() {
      var (oldest, best) = (0, Int.max)
      for index in voices.indices where voices[index].isSounding && !voices[index].isFading {
        let rank = voices[index].order + (voices[index].isHeld ? 1 << 40 : 0)
        if rank < best { (oldest, best) = (index, rank) }
      }
      (voices[oldest].isHeld, voices[oldest].isFading) = (false, true)
      momu_stk_fade_out(voices[oldest].stk, framesUntilRest / 10)
    }

    /// The index of the voice for a new note: a silent voice, or else the fading voice with the oldest note.
    ///
    /// Broken voices are left out, because they stay silent.
    private var freeVoice: Int {
      var (chosen, best) = (0, Int.max)
      for index in voices.indices where !momu_stk_is_broken(voices[index].stk) {
        guard voices[index].isSounding else { return index }
        guard voices[index].isFading, voices[index].order < best else { continue }
        (chosen, best) = (index, voices[index].order)
      }
      return chosen
    }

    /// Releases the note with the ID `id`, or all notes if `id` is nil.
    func release(id: Int32?) {
      for index in voices.indices where voices[index].isHeld && (id == nil || voices[index].id == id) {
        voices[index].isHeld = false
        momu_stk_note_off(voices[index].stk)
      }
    }

    func move(_ note: Note, bend: Float) {
      for index in voices.indices where voices[index].isHeld && voices[index].id == note.id {
        voices[index].pitch = note.pitch
        momu_stk_set_frequency(voices[index].stk, MoFun.midiToHz(Double(note.pitch + bend)))
      }
    }

    func bend(_ semitones: Float) {
      for voice in voices where voice.isSounding {
        momu_stk_set_frequency(voice.stk, MoFun.midiToHz(Double(voice.pitch + semitones)))
      }
    }

    func control(_ number: Int32, _ value: Float) {
      for voice in voices { momu_stk_control(voice.stk, number, Double(value)) }
    }

    /// Renders `count` frames of a block, the first at the index `start`.
    func render(_ block: inout AudioBlock, from start: Int, count: Int, gain: Float) {
      var first = start
      while first < start + count {
        let frames = min(64, start + count - first)
        for frame in 0..<frames { sound[frame] = 0 }
        for index in voices.indices where voices[index].isSounding {
          voices[index].isSounding = momu_stk_add(
            voices[index].stk, gain, framesUntilRest, &sound, Int32(frames))
        }
        for frame in 0..<frames { block[first + frame] = sound[frame] }
        first += frames
      }
    }
  }
#endif
