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

  @Test("saves the device if one was given")
  func device() {
    #expect(SavedTrim(trim: 1, audio: "hw:1").text("{}") == "{\"audio\": \"hw:1\", \"trim\": 1.0}")
  }
}
