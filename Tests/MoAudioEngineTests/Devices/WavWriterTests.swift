import Glibc
import MoAudioEngine
import MoTesting
import Testing

@Suite("WAV files")
struct WavWriterTests {
  private func bytes(_ path: String) -> [UInt8] {
    let file = fopen(path, "r")
    defer { fclose(file) }
    var all: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { all.append(UInt8(truncatingIfNeeded: byte)) }
    return all
  }

  private func path() -> String { "/tmp/momu-wav-\(getpid())-\(UInt32.random(in: 0 ... .max)).wav" }

  private func word(_ bytes: [UInt8], _ at: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
  }

  @Test("have header and samples as in the RIFF specification")
  func format() throws {
    let path = path()
    defer { unlink(path) }
    let writer = try WavWriter(path: path, sampleRate: 44_100, channels: 1)
    try [Float](arrayLiteral: 0, 1, -1, 0.5, 2).withUnsafeBufferPointer { samples throws(AudioError) in
      try writer.append(samples)
    }
    writer.close()
    let bytes = bytes(path)
    #expect(bytes.count == 80 + 15 + 1)
    #expect(String(decoding: bytes[0..<4], as: UTF8.self) == "RIFF")
    #expect(word(bytes, 4) == bytes.count - 8)
    #expect(String(decoding: bytes[8..<16], as: UTF8.self) == "WAVEJUNK")
    #expect(String(decoding: bytes[48..<52], as: UTF8.self) == "fmt ")
    #expect(Array(bytes[56..<60]) == [1, 0, 1, 0])  // PCM, one channel
    #expect(word(bytes, 60) == 44_100)
    #expect(word(bytes, 64) == 44_100 * 3)
    #expect(Array(bytes[68..<72]) == [3, 0, 24, 0])
    #expect(String(decoding: bytes[72..<76], as: UTF8.self) == "data")
    #expect(word(bytes, 76) == 15)
    #expect(
      Array(bytes[80..<95]) == [0, 0, 0, 0xFF, 0xFF, 0x7F, 0x00, 0x00, 0x80, 0, 0, 0x40, 0xFF, 0xFF, 0x7F])
  }

  @Test("have a valid header before they are closed, up to date within a second")
  func growing() throws {
    let path = path()
    defer { unlink(path) }
    let writer = try WavWriter(path: path, sampleRate: 1000, channels: 2)
    for _ in 0..<25 {
      try [Float](repeating: 0.1, count: 200).withUnsafeBufferPointer { samples throws(AudioError) in
        try writer.append(samples)
      }
    }
    let bytes = bytes(path)
    #expect(word(bytes, 76) == 2000 * 6)
    #expect(bytes.count == 80 + 2500 * 6)
    withExtendedLifetime(writer) {}
  }

  @Test("are WAVE_FORMAT_EXTENSIBLE beyond two channels, have a fact chunk for floats, and are read by SoX")
  func extensible() throws {
    let path = path()
    defer { unlink(path) }
    for (channels, coding, bits) in [
      (3, SoundCoding.int24, 24), (4, .int16, 16), (2, .float32, 32), (6, .float32, 32),
    ] {
      let writer = try WavWriter(path: path, sampleRate: 48_000, channels: channels, coding: coding)
      let samples = (0..<10 * channels).map { Float($0) / 128 }
      try samples.withUnsafeBufferPointer { samples throws(AudioError) in try writer.append(samples) }
      writer.close()
      let bytes = bytes(path)
      let isExtensible = channels > 2
      #expect(word(bytes, 4) == bytes.count - 8)
      #expect(word(bytes, 52) == (isExtensible ? 40 : 18))
      #expect(bytes[56..<58].elementsEqual(isExtensible ? [0xFE, 0xFF] : [3, 0]))
      if isExtensible {
        // Microsoft's GUID of a format: its tag, then 0000-0010-8000-00AA00389B71.
        #expect(Array(bytes[72..<76]) == [22, 0, UInt8(bits), 0])
        let tag: UInt8 = coding == .float32 ? 3 : 1
        #expect(
          Array(bytes[80..<96])
            == [tag, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
      }
      if coding == .float32 {
        let fact = isExtensible ? 96 : 74
        #expect(String(decoding: bytes[fact..<fact + 4], as: UTF8.self) == "fact")
        #expect(word(bytes, fact + 4) == 4 && word(bytes, fact + 8) == 10)
      }
      // SoX uses its own reader.
      let sox = ProgramRun(shell: "for of in -c -s -b; do soxi $of '\(path)' 2>/dev/null; done")
      #expect(sox.lines == ["\(channels)", "10", "\(bits)"], "\(sox.text)")
    }
  }

  @Test("queue an hour-long gap without memory, and contain silence for all lost samples")
  func slowDisk() throws {
    let path = path()
    defer { unlink(path) }
    let disk = WavDisk(
      writer: try WavWriter(path: path, sampleRate: 48_000, channels: 1, coding: .int16), capacity: 1024
    ) { _ in }
    func take(_ first: Int) {
      (first..<first + 100).map { Float($0 % 1000 + 1) / 1024 }.withUnsafeBufferPointer { disk.append($0) }
    }
    // An hour of silence, then blocks without a disk: samples that do not fit are lost.
    disk.skip(samples: 3600 * 48_000)
    for block in 0..<20 { take(100 * block) }
    #expect(disk.dropped == 1000)
    disk.drain()
    for block in 20..<25 { take(100 * block) }
    disk.close()
    let bytes = bytes(path)
    let hour = 3600 * 48_000
    #expect(word(bytes, 76) == 2 * (hour + 2500))
    func sample(_ frame: Int) -> Int {
      let at = 80 + 2 * (hour + frame)
      return Int(bytes[at]) | Int(bytes[at + 1]) << 8
    }
    #expect(bytes[80..<80 + 2 * hour].allSatisfy { $0 == 0 })
    for frame in 0..<2500 {
      let wanted = (1000..<2000).contains(frame) ? 0 : (frame % 1000 + 1) * 32
      #expect(abs(sample(frame) - wanted) <= 1, "\(frame)")
    }
  }

  @Test("end with silence in place of the last lost samples, and a warning names the file")
  func lostEnd() throws {
    let path = path()
    defer { unlink(path) }
    let log = LogCapture()
    let disk = WavDisk(
      writer: try WavWriter(path: path, sampleRate: 48_000, channels: 1, coding: .int16), capacity: 1024
    ) { _ in }
    for _ in 0..<20 {
      [Float](repeating: 0.5, count: 100).withUnsafeBufferPointer { disk.append($0) }
    }
    disk.close()
    let sound = try SoundBuffer(path)
    #expect(sound.frames == 2000 && sound[999] == 0.5 && sound[1000] == 0)
    #expect(log.texts.count { $0.hasPrefix("\(path) has silence in place of sound") } == 1)
  }

  @Test("give an error that says what to do if the path is not writable")
  func errors() {
    let folder = #expect(throws: AudioError.self) {
      try WavWriter(path: "/nonexistent/a.wav", sampleRate: 48_000, channels: 2)
    }
    #expect(
      folder?.description == "cannot write /nonexistent/a.wav: the folder does not exist; make it first")
    let full = #expect(throws: AudioError.self) {
      try WavWriter(path: "/dev/full", sampleRate: 48_000, channels: 2)
    }
    #expect(
      full?.description
        == "cannot write /dev/full: the disk is full; make room, or choose a file elsewhere. The part written so "
        + "far can be played")
    let isFolder = #expect(throws: AudioError.self) {
      try WavWriter(path: "/tmp", sampleRate: 48_000, channels: 2)
    }
    #expect(isFolder?.description == "cannot write /tmp: that is a folder; name a file in it")
  }
}
