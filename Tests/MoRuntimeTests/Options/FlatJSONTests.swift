import MoRuntime
import Testing

@Suite("The configuration file's JSON")
struct FlatJSONTests {
  @Test("strings, numbers, true and false become the text that a user would type")
  func values() {
    let text =
      #" { "audio" : "hw:1", "rate": 48000, "trim": -1.25e1, "block": 256.0 ,"quiet":true, "offline":false } "#
    #expect(
      FlatJSON(text)?.values == [
        "audio": "hw:1", "rate": "48000", "trim": "-12.5", "block": "256", "quiet": "1", "offline": "0",
      ])
    #expect(FlatJSON("{}")?.values == [:])
  }

  @Test("decodes the escapes of RFC 8259, including surrogate pairs")
  func escapes() {
    let text = #"{"name": "a\"\\\/\b\f\n\r\t\u00e9\uD834\uDD1E\u0041"}"#
    #expect(FlatJSON(text)?.values == ["name": "a\"\\/\u{8}\u{C}\n\r\té\u{1D11E}A"])
  }

  @Test("refuses what RFC 8259 does not allow, and nested values")
  func wrong() {
    let texts = [
      "", "[]", "1", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{'a':1}", "{\"a\":01}",
      "{\"a\":+1}",
      "{\"a\":.5}", "{\"a\":1.}", "{\"a\":NaN}", "{\"a\":1e999}", "{\"a\":nul}", "{\"a\":null}", "{\"a\":{}}",
      "{\"a\":[1]}", "{\"a\":\"\n\"}", #"{"a":"\x"}"#, #"{"a":"\ud834"}"#, #"{"a":"\udd1e"}"#,
      #"{"a":"\u12g4"}"#,
      #"{"a":"\u12"#, "{\"a\":\"b", "{\"a\":1 2}", "{a:1}",
    ]
    for text in texts { #expect(FlatJSON(text) == nil, "\(text)") }
  }
}
