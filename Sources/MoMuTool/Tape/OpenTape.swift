import MoOSC

/// Opens a tape of OSC messages for reading.
///
/// - Throws: `OSCTapeError`, or a `ToolError` if the text of the `OSCTapeError` would advise an option that `momu` does
///   not have.
func openTape(_ path: String) throws -> OSCTapeReader {
  do throws(OSCTapeError) { return try OSCTapeReader(path: path) } catch { throw ToolError.explaining(error) }
}
