import MIDICore
import Testing

/// Datagrams of session protocols that macOS and rtpMIDI for Windows sent.
///
/// They are from issues 11, 25 and 26 of Arduino-AppleMIDI-Library, and from midi-harbor's tests, which name macOS 15.
@Suite("Session commands of other programs")
struct CommandCaptureTests {
  private static let captures: [(bytes: String, command: AppleMIDICommand)] = [
    (
      "FFFF494E 00000002 46E87CCD 9316668E 6F746600",
      .invitation(token: 0x46E8_7CCD, source: 0x9316_668E, name: Array("otf".utf8))
    ),
    (
      "FFFF494E 00000002 A9E2447F EBA54E05 416C69656E7761726500",
      .invitation(token: 0xA9E2_447F, source: 0xEBA5_4E05, name: Array("Alienware".utf8))
    ),
    (
      "FFFF4F4B 00000002 12345678 C0858EFE 53747564696F204D616300",
      .acceptance(token: 0x1234_5678, source: 0xC085_8EFE, name: Array("Studio Mac".utf8))
    ),
    ("FFFF5253 37193C27 FDE50000", .feedback(source: 0x3719_3C27, number: 0xFDE5)),
    (
      "FFFF434B 5173118E 02000000 0000000001EF9C2A 0000000000A7D8C0 0000000001EF9D5F",
      .clock(source: 0x5173_118E, count: 2, .init(first: 0x1EF_9C2A, second: 0xA7_D8C0, third: 0x1EF_9D5F))
    ),
  ]

  @Test("are read, and written with the same bytes", arguments: captures)
  func both(bytes: String, command: AppleMIDICommand) {
    #expect(AppleMIDICommand(hex(bytes).span) == command)
    #expect(command.bytes == hex(bytes))
  }

  @Test(
    "of macOS that begin a comparison of clocks have arbitrary octets where nothing stands yet",
    arguments: [
      (
        "FFFF434B 0E8C9303 00FFFFFF 000000000178B4EB A2A7030000AED050 FF7F000075910D95", 0x0E8C_9303,
        0x178_B4EB
      ),
      (
        "FFFF434B 5173118E 0040748C 0000000001EF9C2A FFFFFFFF40000000 602000000895 00BC", 0x5173_118E,
        0x1EF_9C2A
      ),
    ] as [(String, UInt32, UInt64)])
  func firstTime(bytes: String, source: UInt32, time: UInt64) {
    guard case .clock(let from, let count, let times)? = AppleMIDICommand(hex(bytes).span) else {
      Issue.record("no comparison of clocks")
      return
    }
    #expect(from == source && count == 0 && times.first == time)
  }
}
