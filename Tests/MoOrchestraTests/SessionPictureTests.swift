import MoSessionCore
import MoTime
import Testing

@testable import MoOrchestra

@Suite("A room in a terminal")
struct SessionPictureTests {
  @Test("what somebody has not got stands behind the name, on a line that still fits")
  func missed() {
    var settings = SessionCore.Settings(
      room: "Lab",
      identity: SessionIdentity(
        member: MemberID(7), installation: MemberID(8), name: "Annabella", program: "p", release: "1"))
    settings.listening = 0
    var member = SessionCore(settings, now: .zero).roster(at: .zero)[0]
    (member.isMe, member.plays) = (false, "harp")
    func line(missed: Int) -> String? {
      member.missed = missed
      return SessionPicture.text([member], room: "Lab", position: nil, tempo: nil)
        .split(separator: "\n").first { $0.contains("Annabella") }.map(String.init)
    }
    #expect(line(missed: 0)?.contains("missed") == false)
    #expect(line(missed: 1234)?.hasSuffix(" missed 1234") == true)
    (member.report.symmetricMilliseconds, member.report.boundMilliseconds) = (0.123, 12.3)
    member.report.loss = 0.12
    let longest = line(missed: 1234) ?? ""
    #expect(longest.count < 80 && longest.contains("±") && longest.contains("loss 12 %"), "\(longest)")
  }

  @Test("the desk's lines are no wider than 80 columns less the last, whatever the names")
  func width() {
    #expect(SessionDesk.help.count <= SessionDesk.columns)
    let wide = String(repeating: "x", count: 200)
    #expect(
      SessionDesk.cut("a\n\n\(wide)\nb\n").split(separator: "\n", omittingEmptySubsequences: false).map(
        \.count)
        == [1, 0, 79, 1, 0])
  }

  @Test(
    "an address is four numbers or IPv6's, and a port at most: of less the system would make one that was not meant",
    arguments: [
      ("192.168.0.5", "192.168.0.5:6450"), ("192.168.0.5:7000", "192.168.0.5:7000"), ("192.168.0", nil),
      ("5", nil), ("", nil), ("1.2.3.4.5", nil), ("1.2.3.256", nil), ("1.2.3.4:0", nil), ("1.2.3.4:", nil),
      ("1.2.3.4:x", nil), ("::1", "[::1]:6450"), ("[::1]", "[::1]:6450"),
      ("2001:db8::5", "[2001:db8::5]:6450"), ("[2001:db8::5]:7000", "[2001:db8::5]:7000"), ("[::1", nil),
      ("[::1]:", nil), ("[::1]7000", nil), ("[1.2.3.4]:7000", nil), ("ff02::1", nil), ("::", nil),
      ("fe80::5", nil), ("fe80::5%lo", "[fe80::5%lo]:6450"), ("[fe80::5%lo]:7000", "[fe80::5%lo]:7000"),
      ("fe80::5%nowhere", nil), ("::ffff:192.168.0.5", "192.168.0.5:6450"), ("ada.local.home.net", nil),
    ] as [(String, String?)])
  func addresses(typed: String, meant: String?) {
    #expect(SessionEndpoint(typed: typed)?.text == meant)
  }
}
