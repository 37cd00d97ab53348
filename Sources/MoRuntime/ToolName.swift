/// What a user types for a rig, by the program that runs: `momu rig`, or `momu-rig` where that program runs alone.
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
