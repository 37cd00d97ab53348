import ArgumentParser
import MoCore
import MoMu
import MoOrchestra

/// `momu session check`: checks whether all members are ready for a concert.
struct SessionCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check before a concert that every member of a room is ready.",
    discussion: """
      Asks each member for its MoMu version, network, timing, sound and load. Lists the members that are not ready, with \
      reasons and remedies. Members do not see the check. It takes three seconds, or eight if a member does not answer.

      Ends with status 0 if all are ready, with 130 if Ctrl-C ends it, otherwise with 1.
      """)

  @OptionGroup var place: RoomOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let stop = StopWait()
    try SessionCommand.begin(place.sharedArguments)
    let clock = SystemClock()
    var joinOptions = place.joinOptions(as: "momu session")
    (joinOptions.isHidden, joinOptions.isKept) = (true, false)
    try SessionServer.shared.join(joinOptions)
    defer { SessionServer.shared.leave() }
    // Every member calls within a second; if only Avahi finds members, it takes a second or two more.
    if stop.wait(until: clock.now + .milliseconds(1_500)) { throw ExitCode(130) }
    let late = clock.now + .milliseconds(1_500)
    while MoSession.members.count < 2, clock.now < late {
      if stop.wait(until: clock.now + .milliseconds(20)) { throw ExitCode(130) }
    }
    try MoSession.beginCheck()
    let least = clock.now + .milliseconds(1_000)
    while MoSession.check?.isDone != true || clock.now < least {
      if stop.wait(until: clock.now + .milliseconds(20)) { throw ExitCode(130) }
    }
    guard let check = MoSession.check, !(check.members.isEmpty && check.flaws.isEmpty) else {
      throw ToolError.emptyRoom
    }
    show(json ? Self.json(check) : check.text())
    if !check.isReady { throw ExitCode(1) }
  }

  /// Returns the results of a check as one JSON object, with a line break at the end.
  static func json(_ check: RoomCheck) -> String {
    JSONValue.object([
      ("room", .text(check.room)), ("ready", .bool(check.isReady)),
      ("members", .list(check.members.map(member))), ("flaws", .list(check.flaws.map(flaw))),
    ]).description + "\n"
  }

  private static func member(_ check: MemberCheck) -> JSONValue {
    let (member, report) = (check.member, check.member.report)
    func number(_ value: Float?) -> JSONValue { value.map { .number(Double($0)) } ?? .null }
    return .object([
      ("name", .text(member.displayName)), ("installation", .text(member.identity.installation.description)),
      ("program", .text(member.identity.program)), ("release", .text(member.identity.release)),
      ("ready", .bool(check.isReady)), ("momu", check.health.map { .text($0.release) } ?? .null),
      ("link", check.health?.link.words.map { .text($0) } ?? .null),
      ("found", member.method.map { .text($0.words) } ?? .null),
      ("address", member.endpoint.map { .text($0.text) } ?? .null),
      ("keepsClock", .bool(member.isKeeper)), ("boundMilliseconds", number(report.boundMilliseconds)),
      ("symmetricBoundMilliseconds", number(report.symmetricMilliseconds)),
      ("roundTripMilliseconds", number(report.roundTripMilliseconds)), ("loss", number(report.loss)),
      ("sounds", check.health.map { .bool($0.isSounding) } ?? .null),
      ("trimMilliseconds", number(check.health.flatMap { $0.isTrimmed ? $0.trim : nil })),
      ("soundLoad", number(check.health?.soundLoad)), ("machineLoad", number(check.health?.machineLoad)),
      ("underruns", check.health.map { .integer(Int64($0.underruns)) } ?? .null),
      ("flaws", .list(check.flaws.map(flaw))),
    ])
  }

  private static func flaw(_ flaw: HealthFlaw) -> JSONValue {
    .object([("problem", .bool(flaw.isProblem)), ("what", .text(flaw.what)), ("fix", .text(flaw.fix))])
  }
}
