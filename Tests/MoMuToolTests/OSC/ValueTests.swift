import MoOSC
import Testing

@testable import MoMuTool

@Suite("Values on the command line")
struct ValueTests {
  @Test(
    "guesses the types of values as users expect",
    arguments: [
      ("3", OSCArgument.int32(3)), ("-3", .int32(-3)), ("2147483647", .int32(.max)),
      ("2147483648", .int64(2_147_483_648)),
      ("0.5", .float(0.5)), ("-1e3", .float(-1_000)), ("3.", .float(3)), ("true", .bool(true)),
      ("false", .bool(false)),
      ("left", .string("left")), ("nan", .string("nan")), ("inf", .string("inf")), ("", .string("")),
      ("1.2.3", .string("1.2.3")), ("0x10", .string("0x10")), ("-", .string("-")), ("True", .string("True")),
    ])
  func guess(word: String, value: OSCArgument) { #expect(ValueReading.guess(word) == value) }

  @Test("uses the given types; T F N I take no value")
  func types() throws {
    let values = try ValueReading.read(
      ["3", "0.5", "3", "-7", "x", "00ff", "00903c7f", "now", "4"], types: "iTfshcFbmNtId")
    #expect(values.map(\.typeTag) == Array("iTfshcFbmNtId"))
  }

  @Test("errors say what each type needs")
  func wrong() {
    func text(_ words: [String], _ types: String) -> String {
      do throws(ToolError) {
        return "\(try ValueReading.read(words, types: types))"
      } catch { return error.description }
    }
    #expect(
      text(["1", "abc"], "fi")
        == "value 2 is \"abc\", but type i needs a whole number of 32 bits, such as 3")
    #expect(
      text(["0f0"], "b")
        == "value 1 is \"0f0\", but type b needs bytes in hexadecimal digits, such as 00ff10")
    #expect(
      text(["1"], "q") == "unknown type q: use i f s b h d t S c m, or T F N I, which take no value"
    )
    #expect(text(["1"], "if") == "the types if need 2 values, but 1 is given")
    #expect(text(["1", "2"], "iT") == "the types iT need 1 value, but 2 are given")
  }

  @Test("prints values so that their types differ and control characters do no harm")
  func plain() {
    let line = MessageLine(
      message: OSCMessage("/a\u{1b}[2J", [3, 0.5, "3", .blob([1, 255]), .nil, .string("\u{9b}x\n")]),
      sender: "10.0.0.2:9000", age: 0.001_25, rate: 100)
    #expect(
      line.plain
        == "10.0.0.2:9000  /a\\u{1b}[2J ifsbNs 3 0.5 \"3\" <2 bytes: 01 ff> nil \"\\u{9b}x\\u{a}\"  1.25 ms, 100/s"
    )
  }

  @Test("in JSON, a float keeps its typed digits, and NaN is null")
  func json() {
    let line = MessageLine(
      message: OSCMessage("/a", [0.1, .float(.nan), .int64(1 << 60), true, .infinitum, "\u{1}"]), sender: "s",
      age: 0, rate: nil)
    #expect(
      line.json
        == #"{"address":"/a","types":"ffhTIs","values":[0.1,null,1152921504606846976,true,"infinitum","\u0001"],"#
        + #""sender":"s","age":0.0,"rate":null,"timeTag":null}"#)
  }
}
