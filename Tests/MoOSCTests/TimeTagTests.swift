import MoOSC
import Testing

@Suite("Time tags")
struct TimeTagTests {
  @Test(
    "agree with known moments",
    arguments: [
      // RFC 868 gives 1 January 1970 as 2,208,988,800 s; the others are `date -u +%s` and NTP's era 1.
      (0 as Int64, 2_208_988_800 as UInt64, 0 as UInt64),
      (1_795_262_400_500_000_000, 4_004_251_200, 0x8000_0000),
      (2_085_978_495_750_000_000, 4_294_967_295, 0xC000_0000),
      (2_085_978_496_000_000_000, 0, 0),
      (2_085_978_497_250_000_000, 1, 0x4000_0000),
      (-250_000_000, 2_208_988_799, 0xC000_0000),
    ])
  func known(nanoseconds: Int64, seconds: UInt64, fraction: UInt64) {
    let tag = OSCTimeTag(nanosecondsSince1970: nanoseconds)
    #expect(tag.rawValue == seconds << 32 | fraction)
    #expect(UInt64(tag.seconds) == seconds && UInt64(tag.fraction) == fraction)
    #expect(tag.nanosecondsSince1970 == nanoseconds)
  }

  @Test("immediate is 1")
  func immediate() { #expect(OSCTimeTag.immediate.rawValue == 1) }

  @Test("rounds the fraction to the nearest step")
  func nearest() {
    // 1 ns is 4.29 steps of 2⁻³² s; 999,999,999 ns is 4.29 steps short of a second.
    #expect(OSCTimeTag(nanosecondsSince1970: 1).fraction == 4)
    #expect(OSCTimeTag(nanosecondsSince1970: 999_999_999).fraction == 0xFFFF_FFFC)
    // The last step before a second, 0.23 ns short of it, is nearest to the second itself.
    #expect(OSCTimeTag(rawValue: 2_208_988_800 << 32 | 0xFFFF_FFFF).nanosecondsSince1970 == 1_000_000_000)
  }

  @Test("nanoseconds survive the conversion, as moments and as differences")
  func roundTrip() {
    var random = SplitMix64(state: 868)
    for _ in 0..<100_000 {
      // 1968-01-20 03:14:08 to 2104-02-26 09:42:24 UTC, the range of RFC 4330's rule.
      let moment = Int64.random(in: -61_505_152_000_000_000..<4_233_462_144_000_000_000, using: &random)
      let tag = OSCTimeTag(nanosecondsSince1970: moment)
      #expect(tag.nanosecondsSince1970 == moment)
      let step = Int64.random(in: -2_000_000_000_000_000_000...2_000_000_000_000_000_000, using: &random)
      #expect(tag.advanced(byNanoseconds: step).nanoseconds(since: tag) == step)
      #expect(tag.nanoseconds(since: tag.advanced(byNanoseconds: step)) == -step)
    }
  }
}
