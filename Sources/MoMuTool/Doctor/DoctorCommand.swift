import ArgumentParser

/// `momu doctor`: what stands between this machine and the others, and what to type against it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what keeps messages from arriving here, and what to type against it.",
    discussion: """
      Looks at addresses, multicast, Wi-Fi, firewall, the port, VPNs, containers and virtual machines. Changes \
      nothing. As root (sudo) it also reads the firewall's rules and names other users' programs.

      Ends with status 1 if there is a problem, otherwise with 0.
      """)

  @Option(
    help: ArgumentHelp("The UDP port that messages are to arrive at.", valueName: "N"),
    transform: Port.init(typed:))
  var port: Port = .usual

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let found = findings(SystemReader().surroundings(port: port.number))
    show(json ? FindingText.json(found, port: port.number) : FindingText.plain(found, port: port.number))
    if found.contains(where: { $0.level == .problem }) { throw ExitCode(1) }
  }
}
