import MoOSC

/// Opens a tape.
///
/// - Throws: `OSCTapeError`, or `ToolError` if that error's advice is an option that `momu` does not have.
func openTape(_ path: String) throws -> OSCTapeReader {
  do throws(OSCTapeError) { return try OSCTapeReader(path: path) } catch { throw ToolError.explaining(error) }
}
