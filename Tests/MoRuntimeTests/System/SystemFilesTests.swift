import MoRuntime
import MoTesting
import Testing

@Suite("Small files of the kernel")
struct SystemFilesTests {
  @Test(
    "the first line has no white space at its ends",
    arguments: [
      ("USB  Joystick  \n", "USB  Joystick"), (" a\nb\n", "a"), ("a", "a"), ("  \n", ""), ("\n", ""),
      ("", nil),
    ])
  func line(text: String, expected: String?) {
    let folder = Scratch()
    let path = folder.file("name")
    WholeFile.write(text, to: path, isPrivate: false)
    #expect(SystemFiles.line(of: path) == expected)
  }
}
