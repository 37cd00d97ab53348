import ArgumentParser
import MoConsole
import MoCore
import MoOrchestra

/// `momu session big-mama`: runs the machine that makes all the sound.
struct BigMamaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "big-mama", abstract: "Make all the sound of a room whose players only move.",
    discussion: """
      A band accompanies the players: the more they move, the denser it plays. Each player has an instrument on this \
      machine. Keys set the style, the band's layers, their volumes, and the tempo. The players type momu session \
      gestures. All gates lead to this machine, and it conducts.
      """)

  /// The program's name in the roster.
  static let program = "Big Mama"

  @OptionGroup var place: RoomOptions
  @OptionGroup var right: ConductorRight

  @Option(
    help: ArgumentHelp(
      "Instrument for all (default: a different one for each).", valueName: "INSTRUMENT"))
  var instrument: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if common.offline {
      throw ValidationError("--offline renders without a room: record one, and momu session replay it")
    }
  }

  func run() throws {
    let kinds = instrument.map { [$0] } ?? Instruments.motion.map(\.sheet.name)
    for kind in kinds { _ = try Instruments.named(kind) }
    let options = place.sharedArguments + right.sharedArguments + common.arguments
    MoApp.run(
      "Big Mama: one machine makes all the sound.", arguments: ["momu session big-mama"] + options
    ) {
      let run = Run.current
      let bigMama = try BigMama(kinds, run: run)
      try bigMama.listen()
      try MoAudio.follow { MoSession.beat }
      // From the command line, the environment or the configuration file: a sensor here, or a phone that sends here.
      if run.options.accel != nil { try MoAccel.addCallback { bigMama.move($0) } }
      try SessionServer.shared.join(place.joinOptions(as: Self.program))
      try MoRoom.syncGear()
      try run.input.add(InitialGates(at: run.clock.now)) { _ in }
      StatusPrinter.open(run)
      if !run.options.quiet { BigMamaConsole.open(bigMama, run) }
    }
  }
}

/// A task that changes the room's gates once, so that all members play to this machine.
///
/// The task waits until the state of the room is known and the gates may be changed. If the rhythm runs and this member
/// does not conduct, the task also takes the baton.
final class InitialGates: EventTimer {
  let name = "initial gates"
  private(set) var nextTime: HostTime?
  private var lastNotice = ""

  /// The seconds between two attempts to change the gates.
  private static let pause = 0.1

  init(at now: HostTime) { nextTime = now }

  func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    nextTime = now.advanced(bySeconds: Self.pause)
    guard SessionServer.shared.read({ core, _ in core.hasArrived }) == true else { return }
    do {
      try BigMamaConsole.centralise(true)
      // After a crash another member may conduct, or none; gates that fit already have not changed this.
      let conducts = MoSession.members.contains { $0.isMe && $0.isConductor }
      if MoSession.beat.isPlaying(at: now), !conducts {
        do { try MoSession.takeBaton() } catch { MoLog.log(.notice, "t takes the baton: \(error)") }
      }
      nextTime = nil
      let command = ShellText.command(
        "gestures", room: MoSession.room ?? "", isLocked: MoSession.isLocked)
      Run.current.notice("all play to this machine: \(command)")
    } catch {
      // Another member conducts: wait, and report it once.
      let text = BigMamaAdvice.gates(error)
      if lastNotice != text { MoLog.log(.notice, text) }
      lastNotice = text
    }
  }
}
