#if STK
  import CMoSTK
  import Glibc
  import MoDSP
  import MoInstruments
  import MoTesting
  import Testing

  @testable import MoSTK

  /// STK keeps its sample rate and its voices in globals, so these tests run one after another.
  @Suite("The Synthesis ToolKit's instruments", .serialized)
  struct StkTests {
    static let names = StkInstruments.all.map(\.sheet.name)

    @Test("the catalogue lists each of them once after they are added")
    func catalogue() throws {
      let before = Instruments.all.count
      Instruments.add(StkInstruments.all)
      Instruments.add(StkInstruments.all)
      #expect(Instruments.all.count == before + 6)
      #expect(try Instruments.named("stk-mandolin").sheet.name == "stk-mandolin")
    }

    /// Half a second of a note, left and right, and the sound after its release.
    private func take(
      _ name: String, pitch: Float? = nil, velocity: Float = 0.8, set: [(String, Float)] = [],
      frames: Int = 64,
      seconds: Double = 1, rate: Double = 48_000
    ) throws -> [Float] {
      let entry = try #require(StkInstruments.all.first { $0.sheet.name == name })
      let bus = InstrumentBus(sampleRate: rate)
      let handle = try entry.add(to: bus, seed: 1)
      for (name, value) in set { try handle.set(name, to: value) }
      let note = pitch ?? (name == "stk-shakers" ? 3 : 69)
      handle.noteOn(note, velocity: velocity)
      var left: [Float] = []
      var samples = [Float](repeating: 0, count: 2 * frames)
      var position = 0
      while left.count < Int(seconds * rate) {
        for index in samples.indices { samples[index] = 0 }
        samples.withUnsafeMutableBufferPointer { samples in
          var block = AudioBlock(
            output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: frames,
            sampleRate: rate,
            position: Int64(position))
          bus.render(&block)
        }
        position += frames
        left += stride(from: 0, to: 2 * frames, by: 2).map { samples[$0] }
        if position == Int(rate / 2) / frames * frames { handle.noteOff(note) }
      }
      return left
    }

    @Test("each is audible, finite and not too loud", arguments: names)
    func sounds(name: String) throws {
      let sound = try take(name)
      #expect(AudioMeasures.isFinite(sound))
      #expect(AudioMeasures.rms(sound[..<24_000]) > 0.004, "\(AudioMeasures.rms(sound[..<24_000]))")
      #expect(AudioMeasures.peak(sound) < 0.9)
    }

    @Test(
      "pitched instruments are in tune within 3 cents, at 44.1 and 48 kHz", arguments: [44_100.0, 48_000])
    func pitch(rate: Double) throws {
      for entry in StkInstruments.all where entry.sheet.plays != nil {
        for pitch in [48, 69, 81] as [Float] {
          let sound = try take(entry.sheet.name, pitch: pitch, rate: rate)
          let wanted = MoFun.midiToHz(Double(pitch))
          let found = AudioMeasures.strongest(near: wanted, in: sound[1_000..<13_000], sampleRate: rate)
          #expect(
            abs(AudioMeasures.cents(found, above: wanted)) < 3,
            "\(entry.sheet.name) \(pitch): \(AudioMeasures.cents(found, above: wanted))")
        }
      }
    }

    @Test(
      "the other instruments also keep their pitch at another sample rate",
      arguments: ["stk-mandolin", "stk-clarinet"])
    func rates(name: String) throws {
      let found = try [44_100.0, 48_000, 96_000].map { rate in
        AudioMeasures.strongest(
          near: 440, in: try take(name, rate: rate)[Int(0.1 * rate)..<Int(0.45 * rate)], sampleRate: rate,
          cents: 80)
      }
      #expect(abs(AudioMeasures.cents(found[0], above: found[1])) < 12, "\(found)")
      #expect(abs(AudioMeasures.cents(found[1], above: 440)) < 50, "\(found)")
    }

    @Test(
      "a harder stroke is louder", arguments: names.filter { $0 != "stk-shakers" && $0 != "stk-clarinet" })
    func velocity(name: String) throws {
      let (soft, hard) = (try take(name, velocity: 0.3), try take(name, velocity: 1))
      #expect(AudioMeasures.rms(hard) > 1.3 * AudioMeasures.rms(soft))
    }

    @Test("each parameter is audible or harmless at both ends of its range", arguments: names)
    func ends(name: String) throws {
      let entry = try #require(StkInstruments.all.first { $0.sheet.name == name })
      for parameter in entry.parameters {
        for part in [Float(0), 1] {
          let sound = try take(name, set: [(parameter.name, parameter.value(at: part))])
          #expect(
            AudioMeasures.isFinite(sound) && AudioMeasures.peak(sound) < 0.9, "\(parameter.name) \(part)")
        }
      }
    }

    @Test("is exactly silent after its tail", arguments: names)
    func tail(name: String) throws {
      let entry = try #require(StkInstruments.all.first { $0.sheet.name == name })
      let sound = try take(name, seconds: 0.6 + entry.sheet.tail)
      #expect(sound.suffix(2_000).allSatisfy { $0 == 0 })
    }

    @Test(
      "blocks of 1, 64 and 512 frames give the same bits, except for noise, which STK cannot seed",
      arguments: names.filter { $0 != "stk-shakers" && $0 != "stk-clarinet" })
    func blocks(name: String) throws {
      let reference = try take(name, frames: 64, seconds: 0.4)
      for frames in [1, 512] {
        let other = try take(name, frames: frames, seconds: 0.4)
        #expect(other.prefix(19_000) == reference.prefix(19_000))
      }
    }

    @Test(
      "one note more than there are voices does not click",
      arguments: ["stk-mandolin", "stk-bars", "stk-rhodey"])
    func steals(name: String) throws {
      let entry = try #require(StkInstruments.all.first { $0.sheet.name == name })
      let bus = InstrumentBus(sampleRate: 48_000)
      let handle = try entry.add(to: bus, seed: 1)
      for key in 0..<8 { handle.noteOn(60 + Float(key), velocity: 0.8) }
      var left: [Float] = []
      var samples = [Float](repeating: 0, count: 96)
      for position in stride(from: 0, to: 9_600, by: 48) {
        // Hardly audible itself: the test measures the note that it silences.
        if position == 4_800 { handle.noteOn(90, velocity: 0.001) }
        for index in samples.indices { samples[index] = 0 }
        samples.withUnsafeMutableBufferPointer { samples in
          var block = AudioBlock(
            output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: 48, sampleRate: 48_000,
            position: Int64(position))
          bus.render(&block)
        }
        left += stride(from: 0, to: 96, by: 2).map { samples[$0] }
      }
      // A click is a corner, at which the second difference is largest.
      let corners = left.indices.dropFirst().dropLast().map { frame in
        abs(left[frame - 1] - 2 * left[frame] + left[frame + 1])
      }
      let (before, after) = (corners[2_400..<4_700].max() ?? 0, corners[4_800..<5_400].max() ?? 0)
      #expect(after < 1.5 * before, "\(after) after \(before)")
    }

    @Test("a voice whose sound exceeded the limit plays its next note")
    func ranAway() throws {
      var reason = [CChar](repeating: 0, count: 200)
      let folder = try RawWaves.folder()
      let voice = try #require(momu_stk_make(MOMU_STK_RHODEY, 48_000, folder, &reason, reason.count))
      defer { momu_stk_free(voice) }
      var sound = [Float](repeating: 0, count: 4_800)
      // With this amplitude, the samples exceed the limit immediately.
      momu_stk_note_on(voice, 440, 10_000)
      #expect(!momu_stk_add(voice, 1, 2_400, &sound, 4_800))
      #expect(AudioMeasures.peak(sound) < 100)
      sound = [Float](repeating: 0, count: 4_800)
      momu_stk_note_on(voice, 440, 0.8)
      #expect(momu_stk_add(voice, 1, 2_400, &sound, 4_800))
      #expect(AudioMeasures.peak(sound) > 0.01)
      #expect(!momu_stk_is_broken(voice))
    }

    @Test("a new instrument does not change the pitch of an instrument that plays at another sample rate")
    func newInstrument() throws {
      let rate = 44_100.0
      let bus = InstrumentBus(sampleRate: rate)
      let factory = try #require(StkInstruments.all.first { $0.sheet.name == "stk-rhodey" })
      let handle = try factory.add(to: bus, seed: 1)
      _ = StkMandolin(seed: nil)
      _ = try StkMandolin()
      handle.noteOn(69, velocity: 0.8)
      let sound = play(bus, frames: 16_384, rate: rate)
      let found = AudioMeasures.strongest(near: 440, in: sound[1_000..<13_000], sampleRate: rate)
      #expect(abs(AudioMeasures.cents(found, above: 440)) < 3)
    }

    /// The left channel of a bus from a position on; `frames` is a multiple of 64.
    func play(_ bus: InstrumentBus, from start: Int = 0, frames: Int, rate: Double = 48_000) -> [Float] {
      var left: [Float] = []
      var samples = [Float](repeating: 0, count: 128)
      for position in stride(from: start, to: start + frames, by: 64) {
        for index in samples.indices { samples[index] = 0 }
        samples.withUnsafeMutableBufferPointer { samples in
          var block = AudioBlock(
            output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: 64, sampleRate: rate,
            position: Int64(position))
          bus.render(&block)
        }
        left += stride(from: 0, to: 128, by: 2).map { samples[$0] }
      }
      return left
    }

    @Test("notes below the lowest pitch sound at the lowest pitch")
    func lowest() throws {
      #expect(try take("stk-mandolin", pitch: 0) == take("stk-mandolin", pitch: 12))
    }

    @Test("several threads can create and release voices at the same time")
    func threads() async throws {
      let folder = try RawWaves.folder()
      let made = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            (0..<200).count { _ in
              var reason = [CChar](repeating: 0, count: 200)
              guard let voice = momu_stk_make(MOMU_STK_RHODEY, 48_000, folder, &reason, reason.count) else {
                return false
              }
              momu_stk_free(voice)
              return true
            }
          }
        }
        return await group.reduce(0, +)
      }
      #expect(made == 800)
    }

    @Test("reports missing raw waves, word for word")
    func rawWaves() {
      #expect(throws: StkError.noRawWaves(looked: ["/nowhere"])) {
        _ = try RawWaves.folder(named: "/nowhere")
      }
      #expect(
        "\(StkError.noRawWaves(looked: ["/a", "/b"]))"
          == "STK's raw waves are not in /a nor /b: install them with sudo apt install stk, or set MOMU_STK_RAWWAVES "
          + "to the folder that holds mand1.raw")
    }

    @Test("an exception of STK becomes an error with its reason")
    func refusal() throws {
      var reason = [CChar](repeating: 0, count: 200)
      #expect(momu_stk_make(MOMU_STK_MODAL_BAR, 48_000, "/nowhere/", &reason, reason.count) == nil)
      let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect(text.contains("/nowhere/marmstk1.raw"), "\(text)")
      #expect("\(StkError.refused(instrument: "x", reason: text))" == "STK cannot make the x: \(text)")
      _ = try take("stk-bars")
    }
  }
#endif
