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
      // Of two values, the last counts.
      ("{\"trim\": 1, \"trim\": 2}", "{\"trim\": 1, \"trim\": 12.5}"),
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

  @Test(
    "leaves a file unchanged that it cannot use", arguments: [("room = Lab\n", 0o600 as mode_t), ("{}\n", 0)])
  func unusable(text: String, mode: mode_t) throws {
    // The superuser may read every file.
    guard mode != 0 || geteuid() != 0 else { return }
    let folder = Scratch()
    let path = folder.file("momu/config.json")
    #expect(WholeFile.write(text, to: path, isPrivate: true) == nil)
    chmod(path, mode)
    #expect(throws: OptionError.self) {
      try SavedTrim(trim: 12.5, audio: "hw:1").write(["XDG_CONFIG_HOME": folder.path])
    }
    chmod(path, 0o600)
    #expect(WholeFile.text(of: path) == text)
  }

  @Test("saves the device if one was given")
  func device() {
    #expect(SavedTrim(trim: 1, audio: "hw:1").text("{}") == "{\"audio\": \"hw:1\", \"trim\": 1.0}")
  }
}
