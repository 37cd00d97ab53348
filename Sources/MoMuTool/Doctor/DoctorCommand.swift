import ArgumentParser
import MoRig

/// `momu doctor`: what stands between this machine and the others, or its own devices, and what to type against it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Say what keeps messages from arriving or devices from being used, and what to type against it.",
    discussion: """
      Looks at addresses, multicast, Wi-Fi, firewall, the port, VPNs, containers and virtual machines; then at the \
      groups that devices belong to, real-time limits, the processor's governor, sound cards, sensors and boards, and the \
      service momu-rig. Changes nothing. As root (sudo) it also reads the firewall's rules and names other users' \
      programs. `momu doctor rig` looks at the service alone.

      Ends with status 1 if there is a problem, otherwise with 0.
      """)

  @Option(
    help: ArgumentHelp("The UDP port that messages are to arrive at.", valueName: "N"),
    transform: Port.init(typed:))
  var port: Port = .usual

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help: "Print a rule for udev that gives the groups input and dialout their devices, and do nothing else.")
  var udevRule = false

  @Flag(help: "Print a limits file that gives the group audio real-time priority, and do nothing else.")
  var limits = false

  @Argument(help: ArgumentHelp("Look only at this: rig, the service that sends sensors.", valueName: "TOPIC"))
  var topic: String?

  func validate() throws {
    if topic != nil, udevRule || limits {
      throw ValidationError("--udev-rule and --limits print a file to install: give one of them alone")
    }
    if udevRule && limits || (udevRule || limits) && json {
      throw ValidationError("--udev-rule and --limits print a file to install: give one of them alone")
    }
  }

  func run() throws {
    // Here and not in validate: an option with a slip has its own text.
    if let topic, topic != "rig" {
      throw ValidationError("there is no topic \"\(topic)\": write momu doctor, or momu doctor rig")
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
