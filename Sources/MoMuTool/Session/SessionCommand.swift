import ArgumentParser
import CMoSystem
import Glibc
import MoConsole
import MoCore
import MoMu
import MoOrchestra
import MoRuntime
import MoSessionCore

/// `momu session`: joins a room from the terminal.
struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Join a room: list its members, conduct, measure.",
    subcommands: [
      SessionJoinCommand.self, SessionReplayCommand.self, BigMamaCommand.self, GesturesCommand.self,
      SessionPanicCommand.self, SessionCheckCommand.self, SessionRoomsCommand.self, SessionKeyCommand.self,
      SessionRenewCommand.self,
    ],
    defaultSubcommand: SessionJoinCommand.self)

  /// Creates this program's `Run` from options of a MoMu program, such as `--room=Lab`, the environment variables and the
  /// configuration file, and sets `Run.current` to it.
  ///
  /// A wrong variable is reported and skipped, so that it does not prevent a call for silence.
  ///
  /// - Parameters:
  ///   - arguments: the options.
  ///   - needsFile: if false, a configuration file that cannot be used is reported and skipped, too.
  /// - Throws: `OptionError` if an option is wrong, or if the configuration file cannot be used.
  static func begin(_ arguments: [String], needsFile: Bool = true) throws {
    let environment = Run.environment()
    var options = try RunOptions(arguments: arguments)
    do {
      var configuration = try Configuration.read(environment)
      // These options are for instruments, like the variables that `Momu.main` removes.
      for name in ["net", "offline"] { configuration[name] = nil }
      options = try RunOptions(arguments: arguments, configuration: configuration)
    } catch {
      if needsFile { throw error }
      MoLog.log(.warning, "\(error)")
    }
    // An option overrides its variable.
    let given = Set(options.given.map { RunOption.named($0).variable })
    let variables = environment.filter { !given.contains($0.key) }
    for error in options.read(environment: variables) { MoLog.log(.warning, "\(error)") }
    Run.begin(Run(options))
  }
}

/// The command-line options for the room and the member's name: `--room`, `--passkey`, `--name` and `--peer`.
struct RoomOptions: ParsableArguments {
  @Option(help: .shared("room")) var room: String?
  @Option(help: .shared("passkey")) var passkey: String?
  @Option(help: .shared("name")) var name: String?

  @Option(help: ArgumentHelp("Address of a member, if discovery fails.", valueName: "ADDRESS"))
  var peer: [String] = []

  func validate() throws { try checkSharedArguments() }

  /// Returns the options with which a program joins the room; the options that all programs share are in its `Run`.
  ///
  /// - Parameter program: the program's name in the roster.
  func joinOptions(as program: String) -> JoinOptions {
    JoinOptions(program: program, release: Momu.release, peers: peer)
  }
}

/// The command-line option `--conductor-only`.
struct ConductorRight: ParsableArguments {
  @Option(help: .shared("conductor-only")) var conductorOnly: String?

  func validate() throws { try checkSharedArguments() }
}

/// `momu session rooms`: lists the rooms on the network.
struct SessionRoomsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rooms", abstract: "List the rooms nearby, without being seen in any.",
    discussion: "Ends with status 1 if there is none, and with 130 if Ctrl-C ends it.")

  @Argument(help: ArgumentHelp("Only rooms with this in their name.", valueName: "TEXT"))
  var text: String?

  func run() throws {
    let stop = StopWait()
    // A hidden member in a room of its own sees all other rooms.
    try SessionServer.shared.join(
      JoinOptions(
        room: "momu session rooms", program: "momu session", release: Momu.release, isHidden: true,
        isKept: false))
    defer { SessionServer.shared.leave() }
    _ = SessionServer.shared.perform { core, _ in core.ask(anyRoom: true) }
    if stop.wait(until: SystemClock().now + .milliseconds(1_200)) { throw ExitCode(130) }
    // If only Avahi finds members, it takes a second or two.
    let end = SystemClock().now + .milliseconds(1_800)
    while rooms.isEmpty, SystemClock().now < end {
      if stop.wait(until: SystemClock().now + .milliseconds(50)) { throw ExitCode(130) }
    }
    for room in rooms { show("\(room.name): \(counted(room.members, "member"))\n") }
    let locked = text == nil ? SessionServer.shared.locking.otherRooms : 0
    if locked > 0 { show("\(counted(locked, "locked room")), whose names are hidden\n") }
    guard rooms.isEmpty, locked == 0 else { return }
    let server = SessionServer.shared
    let hasFound = !MoSession.otherRooms.isEmpty || server.locking.otherRooms > 0
    throw ToolError.noRoom(
      named: text, Self.problem(server.networkProblem, server.avahiProblem, hasFound: hasFound))
  }

  /// Returns the probable reason why the wanted room was not found, with the remedy; nil if no reason is known.
  ///
  /// - Parameters:
  ///   - network: the text that says that this machine is on no network; nil on a network.
  ///   - avahi: the reason why Avahi does not help to find members; nil if Avahi helps.
  ///   - hasFound: whether any room was found. If so, rooms are found without Avahi, and Avahi is not the reason.
  static func problem(_ network: String?, _ avahi: AvahiProblem?, hasFound: Bool) -> String? {
    network ?? (hasFound ? nil : avahi.map { "\($0)" })
  }

  private var rooms: [(name: String, members: Int)] {
    MoSession.otherRooms.filter { room in
      text.map { room.name.lowercased().contains($0.lowercased()) } ?? true
    }.inNaturalOrder { $0.name }
  }
}

/// `momu session key`: prints a passkey that is hard to guess.
struct SessionKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Make a passkey for a locked room, to be read out or scanned.")

  func run() throws {
    let passkey = try Passkey.make()
    show(passkey + "\n")
    let columns = isatty(STDOUT_FILENO) == 1 ? Int(momu_terminal_columns(STDOUT_FILENO)) : 0
    guard let code = QRCode(passkey), QRPicture.columns(code) <= columns else { return }
    show("\n" + QRPicture.lines(code).joined(separator: "\n") + "\n")
  }
}

/// `momu session renew`: gives this machine a new identity.
struct SessionRenewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew", abstract: "Make this machine an installation of its own, with a new key.",
    discussion: """
      For a machine whose disk or home folder is a copy of another's, and for a key that others may have read. Gates, \
      sections and --conductor-only name the old installation; programs that run keep it until they start again.
      """)

  func run() throws {
    let (before, now) = try Installation.renew(Run.environment())
    show("this installation is \(now)" + (before.map { "; it was \($0)" } ?? "") + "\n")
  }
}
