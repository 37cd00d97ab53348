import MoOSC
import Testing

/// Tapes between this package and other programs, by the scripts of Docs/Tapes.md, in Python.
@Suite("Tapes and other programs")
struct OutsideTapeTests {
  static let pythonIsThere = !shell("python3 -c 'import struct; print(1)' | grep -x 1").isEmpty
  static let noon: Int64 = 1_795_262_400_000_000_000  // 21 November 2026 12:00 UTC, by `date`

  @Test("writes and reads the documented bytes")
  func documentedBytes() throws {
    let bytes = TapeDocumentation.exampleBytes
    #expect(bytes.count == 108)
    let file = TemporaryFile()
    let writer = try OSCTapeWriter(
      path: file.path, startNanosecondsSince1970: Self.noon, madeBy: "by hand")
    try writer.write(OSCMessage("/momu/accel", [0.0, -0.0, 1.0]), atNanoseconds: 500_000_000)
    try writer.close()
    #expect(file.bytes == bytes)
    let reader = try OSCTapeReader(path: file.path)
    #expect(reader.madeBy == "by hand" && reader.start.nanosecondsSince1970 == Self.noon)
    #expect(
      try reader.next()
        == OSCTapeReading(
          nanoseconds: 500_000_000, message: OSCMessage("/momu/accel", [0.0, -0.0, 1.0])))
    #expect(try reader.next() == nil && reader.warning == nil)
  }

  @Test("the documented reader reads our tapes", .enabled(if: pythonIsThere))
  func readByPython() throws {
    let script = TemporaryFile(Array(TapeDocumentation.blocks("python")[0].utf8))
    let tape = TemporaryFile()
    let writer = try OSCTapeWriter(path: tape.path, startNanosecondsSince1970: Self.noon, madeBy: "a test")
    try writer.write(OSCMessage("/momu/accel", [0.25, -1.5, 1.0]), atNanoseconds: 0)
    try writer.write(OSCMessage("/momu/compass", [90.0]), atNanoseconds: 125_000_000)
    try writer.write(OSCMessage("/momu/accel", [2.0, 0.0, -8.0]), atNanoseconds: 3_600_500_000_000)
    try writer.close()
    #expect(
      shell("python3 \(script.path) \(tape.path)") == "0.0 0.25 -1.5 1.0\n3600.5 2.0 0.0 -8.0\n")
  }

  @Test("the documented writer's tape plays", .enabled(if: pythonIsThere))
  func writtenByPython() throws {
    let script = TemporaryFile(Array(TapeDocumentation.blocks("python")[1].utf8))
    let tape = TemporaryFile()
    #expect(shell("python3 \(script.path) \(tape.path)") == "")
    let reader = try OSCTapeReader(path: tape.path)
    #expect(reader.madeBy == "tape.py")
    var count: Int64 = 0
    while let reading = try reader.next() {
      #expect(reading.nanoseconds == count * 10_000_000)
      #expect(reading.message.address == "/momu/accel" && reading.message.typeTags == "fff")
      // A shake of 5 Hz has its peak, 1.5 g, in the fifth of each twenty readings.
      if count % 20 == 5 { #expect(reading.message.arguments == [1.5, 0.0, 1.0]) }
      count += 1
    }
    #expect(count == 200 && reader.warning == nil)
  }
}
