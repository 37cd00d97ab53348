import Glibc
import Testing

@testable import MoEngine

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

  @Test("header and samples are as the RIFF specification has them")
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

  @Test("a file that is not closed yet has a header that fits, to within a second")
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

  @Test("where nothing can be written it says so, and what to do")
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
        == "cannot write /dev/full: the disk is full; make room, or choose a file elsewhere. What was written so "
        + "far can be played")
    let isFolder = #expect(throws: AudioError.self) {
      try WavWriter(path: "/tmp", sampleRate: 48_000, channels: 2)
    }
    #expect(isFolder?.description == "cannot write /tmp: that is a folder; name a file in it")
  }
}
