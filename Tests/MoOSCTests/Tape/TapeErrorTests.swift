import Glibc
import MoOSC
import Testing

@Suite("Tapes that fail")
struct TapeErrorTests {
  private func bundle(_ tag: UInt64, _ messages: OSCMessage...) throws -> [UInt8] {
    OSCLengthPrefix.frame(try OSCBundle(OSCTimeTag(rawValue: tag), messages: messages).encoded())
  }

  private let second: UInt64 = 1 << 32
  private let header = OSCMessage("/momu/tape", [1, "t"])

  /// A header at 5 s (48 bytes on the tape: 4 + 16 + 4 + 24), then one reading a second later (4 + 16 + 4 + 8).
  private func goodTape() throws -> [UInt8] {
    try bundle(5 * second, header) + bundle(6 * second, OSCMessage("/a"))
  }

  /// Plays the tape to its end; returns the number of readings, the error's text, the warning.
  private func play(_ file: TemporaryFile) -> (count: Int, error: String, warning: String?) {
    var count = 0
    var warning: String?
    let error = refusal {
      let reader = try OSCTapeReader(path: file.path)
      defer { warning = reader.warning }
      while try reader.next() != nil { count += 1 }
    }
    return (count, error.replacing(file.path, with: "T"), warning?.replacing(file.path, with: "T"))
  }

  @Test("reports a missing file, and a folder in place of a file")
  func unreadable() {
    #expect(
      refusal { _ = try OSCTapeReader(path: "/tmp/no/such.osc") }
        == "cannot read the tape /tmp/no/such.osc: No such file or directory; "
        + "check the path, or record one with --record-tape /tmp/no/such.osc")
    #expect(
      refusal { _ = try OSCTapeReader(path: "/tmp") }
        == "cannot read the tape /tmp: Is a directory; "
        + "check the path, or record one with --record-tape /tmp")
  }

  @Test("reports files that are not tapes")
  func notTapes() throws {
    let advice = "; record one with --record-tape, or write one as Docs/Tapes.md says"
    let message = OSCLengthPrefix.frame(try OSCMessage("/a").encoded())
    let cases: [([UInt8], String)] = [
      ([], "T is not a tape: it is empty"),
      (Array(hex("00000030 2362")), "T is not a tape: it ends within its first packet"),
      (
        Array("RIFF....WAVE".utf8),
        "T is not a tape: at byte 0, the size of a packet is 1380533830, but must be a multiple of 4 from 8 to 65532"
      ),
      (message, "T is not a tape: its first packet is a message outside a bundle, which has no time"),
      (
        try bundle(1, OSCMessage("/a")),
        "T is not a tape: its first bundle has no time, its tag says 'immediately'"
      ),
      (
        hex("00000008 00000000 00000000"),
        "T is not a tape: at byte 0, a packet begins with '/' or '#bundle' (at byte 4)"
      ),
      (try bundle(5 * second, OSCMessage("/momu/tape")), "T is not a tape: its header has no version"),
    ]
    for (bytes, text) in cases {
      #expect(play(TemporaryFile(bytes)) == (0, text + advice, nil))
    }
    #expect(
      refusal { _ = try OSCTapeReader(path: "/dev/zero") } == "/dev/zero is not a tape: at byte 0, "
        + "the size of a packet is 0, but must be a multiple of 4 from 8 to 65532" + advice)
  }

  @Test("reports a tape of a later version")
  func version() throws {
    let file = TemporaryFile(try bundle(5 * second, OSCMessage("/momu/tape", [2, "t"])))
    #expect(
      play(file) == (0, "T is a tape of version 2, but this program reads version 1: update the program", nil)
    )
  }

  @Test("plays the whole packets of a cut tape, and reports a cut only if data is lost")
  func cut() throws {
    let whole = try goodTape()
    let first = 48
    #expect(whole.count == first + 32)
    for size in first...whole.count {
      let result = play(TemporaryFile(Array(whole[..<size])))
      #expect(result.error == "")
      #expect(result.count == (size == whole.count ? 1 : 0))
      #expect(
        result.warning
          == (size == first || size == whole.count
            ? nil
            : "T was cut at byte 48, in the middle of a packet: it plays up to 0.000 s, and the rest is lost")
      )
    }
  }

  @Test("treats zeros at the end, as file systems leave them, as a cut", arguments: [1, 4, 1_000, 1_000_000])
  func zeros(count: Int) throws {
    let file = TemporaryFile(try goodTape() + [UInt8](repeating: 0, count: count))
    #expect(
      play(file)
        == (
          1, "",
          "T was cut at byte 80, in the middle of a packet: it plays up to 1.000 s, and the rest is lost"
        ))
  }

  @Test("reports the damaged byte, after it has played everything before it")
  func damage() throws {
    let ending = "; it plays up to 1.000 s, and to keep only that: truncate -s 80 'T'"
    let cases: [([UInt8], String)] = [
      (
        hex("7fffffff 00000000"),
        "the size of a packet is 2147483647, but must be a multiple of 4 from 8 to 65532"
      ),
      (
        hex("00000000 00000001"),
        "the size of a packet is 0, but must be a multiple of 4 from 8 to 65532"
      ),
      (
        hex("0000001c 2362756e646c6500 0000000600000000 00000008 2f610000 2c7a0000"),
        "argument 1 ('z') has an unknown type: i f s b h d t S c m T F N I (at byte 109)"
      ),
      (OSCLengthPrefix.frame(try OSCMessage("/a").encoded()), "a message outside a bundle has no time"),
      (try bundle(1, OSCMessage("/a")), "a bundle's time tag says 'immediately'"),
      (
        try bundle(5 * second + second / 2, OSCMessage("/a")),
        "time runs backwards, from 1.000 s to 0.500 s"
      ),
      (
        try bundle(3 * second, OSCMessage("/a")),
        "time runs backwards, from 1.000 s to -2.000 s"
      ),
      (
        try bundle(5 * second - second / 4, OSCMessage("/a")),
        "time runs backwards, from 1.000 s to -0.250 s"
      ),
    ]
    for (bytes, text) in cases {
      #expect(
        play(TemporaryFile(try goodTape() + bytes + goodTape()))
          == (1, "T is damaged at byte 80: " + text + ending, nil))
    }
  }

  @Test("plays nothing after the damage")
  func afterDamage() throws {
    let file = TemporaryFile(try goodTape() + hex("7fffffff") + goodTape())
    let reader = try OSCTapeReader(path: file.path)
    #expect(try reader.next() != nil)
    #expect(refusal { _ = try reader.next() } != "")
    #expect(try reader.next() == nil)
    try reader.rewind()
    #expect(try reader.next() != nil)
  }

  @Test("reports a file that cannot be created")
  func uncreatable() {
    #expect(
      refusal { _ = try OSCTapeWriter(path: "/tmp/no/t.osc", startNanosecondsSince1970: 0, madeBy: "t") }
        == "cannot record to /tmp/no/t.osc: No such file or directory; choose another with --record-tape PATH"
    )
  }

  @Test("reports a disk that is full from the start")
  func fullFromTheStart() {
    #expect(
      refusal { _ = try OSCTapeWriter(path: "/dev/full", startNanosecondsSince1970: 0, madeBy: "t") }
        == "recording to /dev/full stopped: No space left on device; it plays up to 0.000 s")
  }

  @Test(
    "keeps every whole packet if the disk fills up, and reports it once", arguments: [100, 300, 1_000, 1_055])
  func fillsUp(room: Int) throws {
    let file = TemporaryFile()
    var left = room
    let writer = try OSCTapeWriter(
      path: file.path, startNanosecondsSince1970: 0, madeBy: "t", survivesPowerCut: false
    ) { descriptor, bytes, count in
      let taken = min(count, left)
      guard taken > 0 else {
        errno = ENOSPC
        return -1
      }
      left -= taken
      return write(descriptor, bytes, taken)
    }
    var errors: [String] = []
    for step: Int64 in 0..<100 {
      errors.append(
        refusal { try writer.write(OSCMessage("/a"), atNanoseconds: step * 100_000_000) })
    }
    errors.append(refusal { try writer.close() })
    let told = errors.filter { !$0.isEmpty }
    #expect(told.count == 1)
    #expect(
      told[0].replacing(file.path, with: "T").hasPrefix(
        "recording to T stopped: No space left on device; it plays up to"))
    let played = play(file)
    // The header takes 48 bytes, every reading 32.
    #expect(played == ((room - 48) / 32, "", nil))
    #expect(file.bytes.count == 48 + (room - 48) / 32 * 32)
  }

  @Test("leaves out a message that OSC cannot represent, and continues to record")
  func unsendable() throws {
    let file = TemporaryFile()
    let writer = try OSCTapeWriter(path: file.path, startNanosecondsSince1970: 0, madeBy: "t")
    #expect(
      refusal { try writer.write(OSCMessage("a"), atNanoseconds: 0) }
        == "a message is not on the tape \(file.path): "
        + "cannot be sent as OSC: the address 'a' does not begin with '/'")
    try writer.write(OSCMessage("/a"), atNanoseconds: 0)
    try writer.close()
    #expect(play(file) == (1, "", nil))
  }
}
