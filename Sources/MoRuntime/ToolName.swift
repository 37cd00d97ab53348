/// The command name for a rig, depending on the program: `momu rig`, or `momu-rig` for the program of that name.
package enum ToolName {
  /// The command that reads a rig's configuration.
  package static let rig = rig(of: CommandLine.arguments.first ?? "")
  /// The command that lists devices.
  package static let devices = devices(of: CommandLine.arguments.first ?? "")

  static func rig(of program: String) -> String { isRig(program) ? "momu-rig" : "momu rig" }

  static func devices(of program: String) -> String {
    isRig(program) ? "momu-rig --devices" : "momu devices"
  }

  private static func isRig(_ program: String) -> Bool { program.split(separator: "/").last == "momu-rig" }
}
