#if STK
  import Glibc
  import MoInstruments

  /// The folder of the recordings that some of STK's instruments need.
  enum RawWaves {
    /// The folders into which Debian and STK's own installation put the recordings.
    static let usual = ["/usr/share/stk/rawwaves", "/usr/local/share/stk/rawwaves"]

    /// Returns the folder that the variable `MOMU_STK_RAWWAVES` names, or else the first usual folder with the
    /// recordings.
    ///
    /// - Throws: `StkError.noRawWaves` if the recordings are in none of these folders.
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
