import Glibc
import MoCore
import MoOSC
import MoOrchestra
import Testing

@Suite("Reading a session's tape")
struct TapeReaderTests {
  /// Writes a tape to a temporary file for `body`.
  private func withTape(
    _ write: (OSCTapeWriter) throws -> Void, _ body: (String) throws -> Void
  ) throws {
    let path = "/tmp/momu-session-\(getpid())-\(UInt64.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let tape = try OSCTapeWriter(
      path: path, startNanosecondsSince1970: 1_800_000_000_000_000_000, madeBy: "test")
    try write(tape)
    try tape.close()
    try body(path)
  }

  private func append(_ entries: [SessionTapeEntry], to tape: OSCTapeWriter) throws {
    for entry in entries {
      let nanoseconds = entry.time.nanoseconds - TapeEntryTests.start.nanoseconds
      try tape.write(entry.message(from: TapeEntryTests.start), atNanoseconds: nanoseconds)
    }
  }

  @Test("reads entries as they were written, and skips and counts other messages")
  func entries() throws {
    try withTape { tape in
      try tape.write(OSCMessage("/momu/accel", [.float(0), .float(0), .float(1)]), atNanoseconds: 0)
      try append(TapeEntryTests.entries, to: tape)
      try tape.write(OSCMessage("/momu/session/panic", [.double(0)]), atNanoseconds: 3_000_000_000)
    } _: { path in
      let reader = try SessionTapeReader(path: path)
      #expect(reader.madeBy == "test")
      #expect(reader.startNanosecondsSince1970 == 1_800_000_000_000_000_000)
      var read: [SessionTapeEntry] = []
      while let entry = try reader.next() { read.append(entry) }
      #expect(read == TapeEntryTests.entries.map(TapeEntryTests.read))
      #expect(reader.others == 1)
      #expect(reader.broken == 1)
      #expect(reader.firstBroken == .broken(address: "/momu/session/panic", nanoseconds: 3_000_000_000))
      #expect(reader.warning == nil)
    }
  }

  @Test("reports a tape without a session, an invalid one, and a missing one, with the remedy")
  func foreign() throws {
    func refusal(_ path: String) -> String? {
      do throws(SessionTapeError) {
        _ = try SessionTapeReader(path: path)
        return nil
      } catch { return error.description }
    }
    try withTape { tape in
      try tape.write(OSCMessage("/momu/accel", [.float(0), .float(0), .float(1)]), atNanoseconds: 0)
    } _: { path in
      #expect(
        refusal(path)
          == "\(path) is a tape of \"test\", but no session is on it: movement is played by --accel tape:\(path), messages "
          + "by momu osc replay; to record a session: momu session --record FILE")
    }
    #expect(
      refusal("/nowhere.osc")
        == "cannot read the tape /nowhere.osc: No such file or directory; to record a session: momu session --record "
        + "/nowhere.osc")
    #expect(
      refusal("/dev/null")
        == "/dev/null is not a tape: it is empty; to record a session: momu session --record FILE")
  }

  @Test("plays a tape that is cut at any byte up to its last whole entry, and names damage by its byte")
  func cut() throws {
    try withTape { tape in
      try append(TapeEntryTests.entries, to: tape)
    } _: { path in
      let whole = try #require(Self.bytes(of: path))
      var (counts, at) = ([Int](), 200)
      while at < whole.count {
        Self.write(Array(whole[..<at]), to: path)
        let reader = try? SessionTapeReader(path: path)
        var count = 0
        while try reader?.next() != nil { count += 1 }
        counts.append(count)
        at += 37
      }
      #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
      #expect((counts.last ?? 0) >= TapeEntryTests.entries.count - 1)
      var spoilt = whole
      spoilt[whole.count / 2] ^= 0xFF
      spoilt[whole.count / 2 + 1] ^= 0xFF
      Self.write(spoilt, to: path)
      let reader = try SessionTapeReader(path: path)
      // With any two damaged bytes, reading ends, with or without an error.
      do throws(SessionTapeError) { while try reader.next() != nil {} } catch {
        #expect(error.description.hasPrefix("\(path) is damaged at byte "))
      }
    }
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return }
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
  }
}
