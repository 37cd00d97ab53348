#if STK
  import Glibc
  import MoInstruments

  /// The folder of the recordings that some of STK's instruments begin with.
  enum RawWaves {
    /// Where Debian and STK's own installation put them.
    static let usual = ["/usr/share/stk/rawwaves", "/usr/local/share/stk/rawwaves"]

    /// The folder that `MOMU_STK_RAWWAVES` names, or the first usual one that is there.
    ///
    /// - Throws: `StkError.noRawWaves`.
    static func folder(
      named wanted: String = MoApp.environment("MOMU_STK_RAWWAVES", default: "")
    ) throws(StkError) -> String {
      let places = wanted.isEmpty ? usual : [wanted]
      guard let found = places.first(where: { access($0 + "/mand1.raw", R_OK) == 0 }) else {
        throw .noRawWaves(looked: places)
      }
      return found.hasSuffix("/") ? found : found + "/"
    }
  }
#endif
