import ArgumentParser
import MoRig

/// `momu doctor`: finds what blocks messages or devices, and shows the fix.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Find what blocks messages or devices, and show the fix.",
    discussion: """
      The doctor checks addresses, multicast, Wi-Fi, the firewall, the port, VPNs, containers and virtual machines. \
      Then it checks the groups of devices, real-time limits, the processor's governor, sound cards, sensors, boards \
      and the service momu-rig. It changes nothing. As root (sudo), it also reads the firewall's rules and names other \
      users' programs. `momu doctor rig` checks the service only.

      The status is 1 if there is a problem, otherwise 0.
      """)

  @Option(
    help: ArgumentHelp("UDP port at which messages should arrive.", valueName: "PORT"),
    transform: Port.init(typed:))
  var port: Port = .usual

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help: "Print a udev rule for the groups input and dialout.")
  var udevRule = false

  @Flag(help: "Print a limits file for the group audio.")
  var limits = false

  @Argument(help: ArgumentHelp("Check only this: rig, the service momu-rig.", valueName: "TOPIC"))
  var topic: String?

  func validate() throws {
    if topic != nil, udevRule || limits {
      throw ValidationError("--udev-rule and --limits each print a file: type one of them alone")
    }
    if udevRule && limits || (udevRule || limits) && json {
      throw ValidationError("--udev-rule and --limits each print a file: type one of them alone")
    }
  }

  func run() throws {
    // Not in validate, so that a misspelt option gets its own error first.
    if let topic, topic != "rig" {
      throw ValidationError("unknown topic \"\(topic)\": type momu doctor or momu doctor rig")
    }
    guard !udevRule, !limits else {
      show(udevRule ? UdevRule.text : LimitsFile.text)
      return
    }
    let reader = SystemReader()
    let rig = rigFindings(reader.rig())
    guard topic == nil else { return try tell([], rig, isRigOnly: true) }
    let network = findings(reader.surroundings(port: port.number))
    try tell(network, deviceFindings(reader.equipment()) + rig)
  }

  private func tell(_ network: [Finding], _ devices: [Finding], isRigOnly: Bool = false) throws {
    show(
      json
        ? FindingText.json(network + devices, port: port.number)
        : isRigOnly
          ? FindingText.plain(rig: devices)
          : FindingText.plain(network, port: port.number, devices: devices))
    if (network + devices).contains(where: { $0.level == .problem }) { throw ExitCode(1) }
  }
}
