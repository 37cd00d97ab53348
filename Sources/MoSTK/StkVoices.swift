#if STK
  import CMoSTK
  import MoInstruments

  /// The voices of one of STK's instruments, and which note each plays.
  ///
  /// Unchecked: made and ended where it is set up; in between the audio thread alone uses it.
  final class StkVoices: @unchecked Sendable {
    private struct Voice {
      let stk: OpaquePointer
      var id: Int32 = 0
      var pitch: Float = 60
      var isHeld = false
      var stroke = 0
      var isSounding = false
    }

    private var voices: [Voice] = []
    private var strokes = 0
    private var sound = [Float](repeating: 0, count: 64)
    /// Frames of silence after which a voice has ended.
    private let patience: Int32

    /// - Throws: `StkError`: no raw waves, or STK's own reason.
    init(_ kind: momu_stk_kind, name: String, count: Int, sampleRate: Double, rawWaves: String)
      throws(StkError)
    {
      patience = Int32(0.05 * sampleRate)
      for _ in 0..<count {
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

    /// Begins a note with a voice that is silent, or else the one struck longest ago, those let go first.
    func start(_ note: Note, bend: Float) {
      var (chosen, best) = (0, Int.max)
      for index in voices.indices {
        let voice = voices[index]
        let rank = voice.isSounding ? voice.stroke + (voice.isHeld ? 1 << 40 : 0) : -1
        if rank < best { (chosen, best) = (index, rank) }
      }
      strokes += 1
      voices[chosen].id = note.id
      voices[chosen].pitch = note.pitch
      voices[chosen].stroke = strokes
      (voices[chosen].isHeld, voices[chosen].isSounding) = (true, true)
      momu_stk_note_on(voices[chosen].stk, MoFun.midiToHz(Double(note.pitch + bend)), Double(note.velocity))
    }

    /// Lets a note go; all of them where no id is given.
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

    /// Writes some of a block's frames.
    func render(_ block: inout AudioBlock, from start: Int, count: Int, gain: Float) {
      var first = start
      while first < start + count {
        let frames = min(64, start + count - first)
        for frame in 0..<frames { sound[frame] = 0 }
        for index in voices.indices where voices[index].isSounding {
          voices[index].isSounding = momu_stk_add(voices[index].stk, gain, patience, &sound, Int32(frames))
        }
        for frame in 0..<frames { block[first + frame] = sound[frame] }
        first += frames
      }
    }
  }
#endif
