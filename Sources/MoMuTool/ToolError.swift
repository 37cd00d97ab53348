import MoConsole
import MoMu
import MoOSC
import MoOrchestra

/// An error of a command of `momu`; its text is shown to the user.
enum ToolError: Error, CustomStringConvertible, Equatable {
  case badValue(number: Int, word: String, type: Character, wants: String)
  case badType(Character)
  case wrongCount(types: String, wanted: Int, given: Int)
  case portTaken(Int, by: String?)
  case noTape(path: String, reason: String)
  case notATape(String)
  case cannotRecord(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case emptyRoom(String, near: String?, problem: String?)
  case noRoom(named: String?, String?)
  case nothingOnTape(path: String, from: String, to: String, end: String?)
  case noFile(path: String)
  case noClock(String, isRecorded: Bool)
  case noSource(String, nearest: String?)
  case tapeAlone(path: String)
  case nothingToDraw(path: String)
  case nothingSeen
  case nothingAnswered(target: String)
  case refused(target: String)

  var description: String {
    switch self {
    case .badValue(let number, let word, let type, let wants):
      "value \(number) is \"\(word)\", but type \(type) needs \(wants)"
    case .badType(let type):
      "unknown type \(type): use i f s b h d t S c m, or T F N I, which take no value"
    case .wrongCount(let types, let wanted, let given):
      "the types \(types) need \(counted(wanted, "value")), but \(given) \(given == 1 ? "is" : "are") given"
    case .portTaken(let port, let program):
      "port \(port) is taken by \(program ?? "another program"): close it, or listen on another port with "
        + "--port \(NetError.portBeside(port)) (momu doctor --port \(port) shows which program has it)"
    case .noTape(let path, let reason):
      "cannot read the tape \(path): \(reason); to record one: momu osc record \(path)"
    case .notATape(let text): text
    case .cannotRecord(let path, let reason):
      "cannot create the tape \(path): \(reason); choose a folder that exists and that you can write to"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason); choose a folder that exists and that you can write to"
    case .emptyRoom(let room, let near, let problem):
      "no members found in room \(room): "
        + (near.map { "did you mean the room \($0)? --room \($0)" }
          ?? "check its name (momu session rooms), then the network (momu doctor)")
        + (problem.map { "\n\($0)" } ?? "")
    case .noRoom(let name, let problem):
      "no room\(name.map { " with \"\($0)\" in its name" } ?? "") found: check that a member is in it, on this network "
        + "(momu doctor shows what may block it)" + (problem.map { "\n\($0)" } ?? "")
    case .nothingOnTape(let path, let from, let to, let end):
      "\(path) has nothing between \(from) and \(to)\(end.map { "; it ends at \($0)" } ?? ""): momu tape "
        + "inspect \(path) shows its contents"
    case .noClock(let source, let isRecorded):
      isRecorded
        ? "there is no MIDI clock in \(source): record one with momu midi record TAKE.mid"
        : "no MIDI clock arrived from \(source): let the gear send its clock (in its menu: sync or clock out)"
    case .noFile(let path):
      "cannot write \(path): it is not a regular file; choose another with -o"
    case .noSource(let text, let nearest):
      "unknown source \"\(text)\"\(nearest.map { "; did you mean \($0)?" } ?? ":") give a sensor, such as accel or "
        + "gyro=iio:0, or a source, such as serial:/dev/ttyACM0 or tape:FILE (momu devices lists them)"
    case .tapeAlone(let path):
      "tape:\(path) is drawn whole and alone: leave out the other sources, --seconds and --window, or play it with "
        + "them: accel=tape:\(path)"
    case .nothingToDraw(let path):
      "\(path) has no numbers to draw: momu tape inspect \(path) shows its contents"
    case .nothingSeen:
      "no readings arrived, so there is nothing to draw: momu devices lists the devices, and those that you may not use"
    case .nothingAnswered(let target):
      """
      no answer from \(target)
        on that machine, start a program that answers: \(Self.answerer(target))
        then, on both machines: momu doctor
      """
    case .refused(let target):
      """
      the machine at \(target) is there, but no program listens on that port
        on that machine, start a program that answers: \(Self.answerer(target))
      """
    }
  }
}

extension ToolError {
  /// Returns the command with which the target's machine answers pings, such as `momu osc listen --port 7000`.
  private static func answerer(_ target: String) -> String {
    let port = target.split(separator: ":").last.map(String.init) ?? ""
    return "momu osc listen" + (port == Port.usual.description ? "" : " --port \(port)")
  }

  /// Returns the error to show for an error of a tape: a `ToolError` if the advice of `error` names an option that
  /// `momu` does not have, else `error` itself.
  static func explaining(_ error: OSCTapeError) -> any Error {
    switch error {
    case .unreadable(let path, let reason): ToolError.noTape(path: path, reason: reason)
    case .uncreatable(let path, let reason): ToolError.cannotRecord(path: path, reason: reason)
    case .notATape: ToolError.notATape(error.text(recordedBy: "momu osc record"))
    default: error
    }
  }
}

extension ToolError {
  /// The error for a room without other members; it suggests a room with a similar name, if there is such a room on the
  /// network.
  ///
  /// Read this property before the program leaves the room.
  static var emptyRoom: ToolError {
    let room = MoSession.room ?? ""
    return .emptyRoom(
      room, near: AloneNotice.similar(to: room, among: MoSession.otherRooms.map(\.name)),
      problem: SessionServer.shared.networkProblem)
  }
}
