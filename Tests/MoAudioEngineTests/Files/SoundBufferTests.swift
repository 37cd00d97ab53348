import Glibc
import MoAudioEngine
import MoRuntime
import MoTesting
import Testing

@Suite("Sound files")
struct SoundBufferTests {
  @Test("of every coding that Python writes are read exactly")
  func everyKind() throws {
    let temporary = TemporaryFolder()
    #expect(temporary.writeAll().text == "")
    let kinds = ["u8", "s16", "s24", "s32", "f32", "f64"]
    let names =
      kinds + kinds.map { "extensible-" + $0 } + ["u8", "s16", "s24", "s32"].map { "wave-" + $0 }
      + ["valid-20", "odd-chunks", "after", "pipe", "rf64", "bw64"]
    for name in names {
      let sound = try SoundBuffer(temporary.path(name + ".wav"))
      #expect(Pattern.isIn(sound), "\(name)")
      #expect(sound.peak == 127.0 / 128)
    }
  }

  @Test("beyond 4 GiB are read at any position, and not into memory")
  func large() throws {
    let temporary = TemporaryFolder()
    _ = temporary.writeAll()
    let source = try SoundFile.open(temporary.path("behind-4gib.wav"))
    #expect(source.frames == 5_000_000_004 / 6)
    var frame: [Float] = [0, 0]
    for index in [0, 1, Pattern.frames - 1] {
      #expect(source.read(at: source.frames - Pattern.frames + index, count: 1, into: &frame) == 1)
      #expect(frame == [Pattern.sample(index, 0), Pattern.sample(index, 1)])
    }
    let path = temporary.path("behind-4gib.wav")
    let error = #expect(throws: AudioFileError.self) { try SoundBuffer(path) }
    #expect(
      error?.description == "\(path) needs 6672 MB of memory: play it from the disk, "
        + "MoAudioFileIn(\"\(path)\", streamed: true)")
  }

  @Test(
    "of SoX are read as SoX reads them",
    arguments: [
      "wav -b 8", "wav -b 16", "wav -b 24", "wav -b 32", "wav -e floating-point -b 32",
      "wav -e floating-point -b 64", "aiff -b 16", "aiff -b 24", "au -b 16", "flac -b 24", "ogg",
      "wav -e ms-adpcm",
      "wav -e u-law", "caf -b 16",
    ])
  func sox(kind: String) throws {
    let temporary = TemporaryFolder()
    let type = kind.split(separator: " ")[0]
    let made = temporary.shell(
      "sox -n -r 22050 -c 3 -b 24 source.wav synth 0.3 sine 300 sine 1234 noise gain -6 && "
        + "sox -D source.wav -c 2 -t \(kind) made.\(type) && "
        + "sox made.\(type) -t raw -e floating-point -b 32 -L made.raw")
    #expect(made.status == 0, "\(made.text)")
    let sound = try SoundBuffer(temporary.path("made." + type))
    #expect(sound.channels == 2)
    #expect(sound.sampleRate == 22_050)
    let file = fopen(temporary.path("made.raw"), "r")
    defer { fclose(file) }
    var wanted = [Float](repeating: .nan, count: 100_000)
    let count = fread(&wanted, 4, wanted.count, file)
    #expect(sound.frames == count / 2)
    // Libraries decode lossy and companded formats, each with its own rounding.
    let isExact = !kind.contains("law") && !kind.contains("adpcm") && type != "ogg"
    let worst = (0..<min(count, sound.frames * 2)).map { abs(sound[$0 / 2, $0 % 2] - wanted[$0]) }.max() ?? 1
    #expect(worst <= (isExact ? 0x1p-23 : 2e-4))
  }

  @Test(
    "without a header are read with the given layout",
    arguments: [
      ("-e unsigned -b 8", RawSound.Coding.unsigned8), ("-e signed -b 16", .int16),
      ("-e signed -b 24", .int24),
      ("-e signed -b 32", .int32), ("-e float -b 32", .float32), ("-e float -b 64", .float64),
    ])
  func raw(kind: String, coding: RawSound.Coding) throws {
    let temporary = TemporaryFolder()
    _ = temporary.writeAll()
    for isBigEndian in [false, true] {
      let made = temporary.shell(
        "(printf head; sox -D u8.wav -t raw \(kind) \(isBigEndian ? "-B" : "-L") -; printf x) > made.raw")
      #expect(made.status == 0, "\(made.text)")
      let raw = RawSound(coding, channels: 2, sampleRate: 44_100, isBigEndian: isBigEndian, offset: 4)
      #expect(Pattern.isIn(try SoundBuffer(temporary.path("made.raw"), as: raw)))
      let player = try MoAudioFileIn(temporary.path("made.raw"), as: raw, streamed: true, sampleRate: 44_100)
      #expect(player.size == Pattern.frames && player.channels == 2 && player.fileRate == 44_100)
    }
  }

  @Test("without a header need a valid layout, and the original's is 16 bits, big-endian, 22,050 Hz")
  func badRaw() throws {
    let temporary = TemporaryFolder()
    let path = temporary.write([0x40, 0, 0xC0, 0, 1], as: "stk.raw")
    let sound = try SoundBuffer(path, as: .stk)
    #expect(sound.frames == 2 && sound[0] == 0.5 && sound[1] == -0.5 && sound.sampleRate == 22_050)
    for bad in [
      RawSound(.int16, channels: 0, sampleRate: 44_100), RawSound(.int16, channels: 65, sampleRate: 44_100),
      RawSound(.int16, sampleRate: .nan), RawSound(.int16, sampleRate: 48_000, offset: -1),
    ] {
      let error = #expect(throws: AudioFileError.self) { try SoundBuffer(path, as: bad) }
      #expect(
        error?.description == "cannot read \(path) as raw sound: give 1 to 64 channels, "
          + "1 to 1,000,000 frames per second and an offset from 0")
    }
    #expect(try SoundBuffer(path, as: RawSound(.int16, sampleRate: 48_000, offset: 100)).frames == 0)
  }

  @Test("are converted to another rate when read")
  func converted() throws {
    let temporary = TemporaryFolder()
    let samples = (0..<44_100).map { Float(sin(2 * .pi * 1000 * Double($0) / 44_100)) }
    let out = try MoAudioFileOut(
      temporary.path("tone.wav"), channels: 1, sampleRate: 44_100, format: .float32)
    out.write(samples.span)
    out.close()
    let sound = try SoundBuffer(temporary.path("tone.wav"), sampleRate: 48_000)
    #expect(sound.frames == 48_000)
    #expect(sound.sampleRate == 48_000)
    for frame in 500..<47_500 {
      #expect(abs(sound[frame] - Float(sin(2 * .pi * 1000 * Double(frame) / 48_000))) < 1e-4)
    }
    #expect(sound.converted(to: 48_000) === sound)
  }

  @Test("keep their rate if a conversion would multiply it by more than 1000, or need more than 1024 MB")
  func unconverted() throws {
    let temporary = TemporaryFolder()
    let out = try MoAudioFileOut(temporary.path("slow.wav"), channels: 1, sampleRate: 40, format: .float32)
    let samples: [Float] = [0.5, 0.25]
    out.write(samples.span)
    out.close()
    let sound = try SoundBuffer(temporary.path("slow.wav"), sampleRate: 48_000)
    #expect(sound.sampleRate == 40 && sound.frames == 2 && sound[1] == 0.25)
    #expect(sound.converted(to: 48_000) === sound)
    let long = SoundBuffer([Float](repeating: 0, count: 1_000_000), sampleRate: 100)
    #expect(long.converted(to: 48_000) === long)
  }
}
