import MoConsole
import MoDSP
import MoInstruments
import Testing

@Suite("Parameter values as text")
struct ParameterTextTests {
  @Test(
    "a number has three significant digits, whatever its size",
    arguments: [
      (0.35, "0.350"), (1.2, "1.20"), (-12.34, "-12.3"), (880, "880"), (123_456, "123456"),
      (1e20, "1e+20"), (-1e20, "-1e+20"), (3.4e38, "3.4e+38"), (.infinity, "inf"), (.nan, "nan"),
    ] as [(Float, String)])
  func number(value: Float, text: String) {
    #expect(ParameterText.number(value) == text)
    if abs(value) > 1e9 { #expect(ParameterText.number(value, step: 1) == text) }
  }

  @Test("a setting out of range gives a warning with the value that counts")
  func setting() throws {
    let remark = try PlaySetting("loudness=1e20").remark(for: Instruments.named("tone"))
    #expect(remark == "tone's loudness goes from 0.00 to 1.00: 1e+20 counts as 1.00")
  }
}
