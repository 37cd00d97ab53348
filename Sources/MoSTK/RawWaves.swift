#if STK
  import Glibc
  import MoInstruments

  /// The folder of the recordings that some of STK's instruments need.
  enum RawWaves {
    /// The folders used by Debian and by STK's own installation.
    static let usual = ["/usr/share/stk/rawwaves", "/usr/local/share/stk/rawwaves"]

    /// Returns the folder in `MOMU_STK_RAWWAVES`, or the first usual folder that exists.
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
