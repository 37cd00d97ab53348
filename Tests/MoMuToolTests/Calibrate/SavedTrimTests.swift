import Glibc
import MoRuntime
import MoTesting
import Testing

@testable import MoMuTool

@Suite("A trim in the configuration file")
struct SavedTrimTests {
  @Test(
    "replaces or adds the trim and leaves the rest of the file unchanged",
    arguments: [
      ("{}\n", "{\"trim\": 12.5}\n"),
      ("{\"audio\": \"hw:1\", \"trim\": -3}", "{\"audio\": \"hw:1\", \"trim\": 12.5}"),
      ("{\n  \"trim\" : \"7\",\n  \"quiet\": true\n}\n", "{\n  \"trim\" : 12.5,\n  \"quiet\": true\n}\n"),
      ("{\n  \"quiet\": true\n}\n", "{\n  \"trim\": 12.5,\n  \"quiet\": true\n}\n"),
      // A value may look like a key.
      ("{\"name\": \"\\\"trim\\\": 3\"}", "{\"trim\": 12.5, \"name\": \"\\\"trim\\\": 3\"}"),
      ("{\"name\": \"trim\"}", "{\"trim\": 12.5, \"name\": \"trim\"}"),
    ])
  func set(old: String, new: String) {
    #expect(SavedTrim(trim: 12.5, audio: nil).text(old) == new)
  }

  @Test(
    "keeps the rights of the file, which may hold a passkey", arguments: [0o600, 0o640, 0o666] as [mode_t])
  func rights(mode: mode_t) throws {
    let folder = Scratch()
    let path = folder.file("momu/config.json")
    #expect(WholeFile.write("{\"passkey\": \"x\"}\n", to: path, isPrivate: true) == nil)
    chmod(path, mode)
    _ = try SavedTrim(trim: 12.5, audio: nil).write(["XDG_CONFIG_HOME": folder.path])
    #expect(WholeFile.text(of: path) == "{\"trim\": 12.5, \"passkey\": \"x\"}\n")
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == mode)
  }

  @Test("saves the device if one was given")
  func device() {
    #expect(SavedTrim(trim: 1, audio: "hw:1").text("{}") == "{\"audio\": \"hw:1\", \"trim\": 1.0}")
  }
}
