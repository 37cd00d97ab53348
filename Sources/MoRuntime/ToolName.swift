/// The commands for a rig, as the user types them: those of `momu`, or of `momu-rig` if the running program is
/// `momu-rig`.
package enum ToolName {
  /// The command that reads a rig's configuration: `momu rig` or `momu-rig`.
  package static let rig = rig(of: CommandLine.arguments.first ?? "")
  /// The command that lists devices: `momu devices` or `momu-rig --devices`.
  package static let devices = devices(of: CommandLine.arguments.first ?? "")

  package static func rig(of program: String) -> String { isRig(program) ? "momu-rig" : "momu rig" }

  package static func devices(of program: String) -> String {
    isRig(program) ? "momu-rig --devices" : "momu devices"
  }

  private static func isRig(_ program: String) -> Bool { program.split(separator: "/").last == "momu-rig" }
}
