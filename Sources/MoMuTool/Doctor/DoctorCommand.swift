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
      Then it checks the groups of devices, real-time limits, the processor's governor, sound cards, MIDI, sensors, \
      boards and the service momu-rig. It changes nothing. As root (sudo), it also reads the firewall's rules and names \
      other users' programs. `momu doctor rig` checks the service only, `momu doctor midi` MIDI only.

      The status is 1 if there is a problem, otherwise 0.
      """)

  @Option(
    help: ArgumentHelp("UDP port at which messages should arrive.", valueName: "PORT"),
    transform: Port.init(typed:))
  var port: Port = .usual

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help: "Print a udev rule for sensors, boards, pins and lights.")
  var udevRule = false

  @Flag(help: "Print a limits file for the group audio.")
  var limits = false

  @Argument(help: ArgumentHelp("Check only this: midi, or rig, the service momu-rig.", valueName: "TOPIC"))
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
    let topic = try self.topic.map { text in
      guard let topic = FindingText.Topic(rawValue: text) else {
        throw ValidationError(
          "unknown topic \"\(text)\": type momu doctor, momu doctor midi or momu doctor rig")
      }
      return topic
    }
    guard !udevRule, !limits else {
      show(udevRule ? UdevRule.text : LimitsFile.text)
      return
    }
    let reader = SystemReader()
    if topic == .midi { return try printFindings([], midiFindings(reader.inventory()), only: topic) }
    let rig = rigFindings(reader.rig())
    if topic == .rig { return try printFindings([], rig, only: topic) }
    let network = findings(reader.surroundings(port: port.number))
    try printFindings(network, deviceFindings(reader.inventory()) + rig)
  }

  private func printFindings(_ network: [Finding], _ devices: [Finding], only topic: FindingText.Topic? = nil)
    throws
  {
    show(
      json
        ? FindingText.json(network + devices, port: port.number)
        : topic.map { FindingText.plain(devices, about: $0) }
          ?? FindingText.plain(network, port: port.number, devices: devices))
    if (network + devices).contains(where: { $0.level == .problem }) { throw ExitCode(1) }
  }
}
