import MoRuntime
import MoTesting
import Testing

@Suite("QR codes in the terminal")
struct QRCodeTests {
  @Test(
    "zbar reads the code in the terminal",
    arguments: [
      "192.168.0.5:6449", "10.0.0.1:8000", "255.255.255.255:65535", "[fe80::1234:5678:9abc:def0%wlan0]:6449",
    ])
  func read(text: String) throws {
    let code = try #require(QRCode(text), "libqrencode is needed: \(QRCode.advice)")
    let lines = QRPicture.lines(code)
    #expect(lines.allSatisfy { QRDrawing.plain($0).count == QRPicture.columns(code) })
    let folder = Scratch()
    let picture = "\(folder.path)/code.pgm"
    try #require(QRDrawing.write(lines, to: picture))
    let run = ProgramRun(shell: "zbarimg --quiet --raw --nodbus '\(picture)'")
    #expect(run.status == 0, "zbarimg is needed: sudo apt-get install zbar-tools")
    #expect(run.lines == [Substring(text)])
  }

  @Test("an IPv4 address and a port fit the smallest code, 21 modules wide")
  func size() throws {
    let code = try #require(QRCode("192.168.100.200:65535"))
    #expect(code.width == 21)
    #expect(QRPicture.lines(code).count == 15)
  }

  @Test("returns no code for a text that is too long")
  func long() { #expect(QRCode(String(repeating: "a", count: 3000)) == nil) }
}
