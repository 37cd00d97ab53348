import MoOSC

/// Opens a tape.
///
/// - Throws: `OSCTapeError`, or `ToolError` where its own advice would be an option that this tool has not.
func openTape(_ path: String) throws -> OSCTapeReader {
  do throws(OSCTapeError) { return try OSCTapeReader(path: path) } catch { throw ToolError.explaining(error) }
}
