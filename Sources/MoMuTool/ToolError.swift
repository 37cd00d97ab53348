import MoMu
import MoOSC
import MoOrchestra

/// Why a verb could not do what it was told; its text is what the user sees.
enum ToolError: Error, CustomStringConvertible, Equatable {
  case badValue(number: Int, word: String, type: Character, wants: String)
  case badType(Character)
  case wrongCount(types: String, wanted: Int, given: Int)
  case portTaken(Int, by: String?)
  case noTape(path: String, reason: String)
  case notATape(String)
  case cannotRecord(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case emptyRoom(String, String?)
  case noRoom(named: String?, String?)
  case nothingOnTape(path: String, from: String, to: String, end: String?)
  case noFile(path: String)
  case noSource(String, nearest: String?)
  case tapeAlone(path: String)
  case nothingToDraw(path: String)
  case nothingSeen
  case nothingAnswered(target: String)
  case refused(target: String)

  var description: String {
    switch self {
    case .badValue(let number, let word, let type, let wants):
      "value \(number) is \"\(word)\", but its type \(type) wants \(wants)"
    case .badType(let type):
      "there is no type \(type): use i f s b h d t S c m, and T F N I for values without a word"
    case .wrongCount(let types, let wanted, let given):
      "the types \(types) want \(counted(wanted, "value")), and \(given) \(given == 1 ? "is" : "are") given"
    case .portTaken(let port, let program):
      "port \(port) is taken by \(program ?? "another program"): close it, or listen on another port with "
        + "--port \(NetError.portBeside(port)) (momu doctor --port \(port) shows who has it)"
    case .noTape(let path, let reason):
      "cannot read the tape \(path): \(reason); to record one: momu osc record \(path)"
    case .notATape(let text): text
    case .cannotRecord(let path, let reason):
      "cannot make the tape \(path): \(reason); name a file in a folder that is there and yours"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason); name a file in a folder that is there and yours"
    case .emptyRoom(let room, let trouble):
      "nobody was found in room \(room): is it the right one? (momu session rooms, momu doctor)"
        + (trouble.map { "\n\($0)" } ?? "")
    case .noRoom(let name, let trouble):
      "no room\(name.map { " with \"\($0)\" in its name" } ?? "") was found: is anybody in one, on this network? "
        + "momu doctor says what may be in the way" + (trouble.map { "\n\($0)" } ?? "")
    case .nothingOnTape(let path, let from, let to, let end):
      "there is nothing on \(path) between \(from) and \(to)\(end.map { ", it ends at \($0)" } ?? ""): momu tape "
        + "inspect \(path) shows what there is"
    case .noFile(let path):
      "cannot write \(path): it is no file that could be replaced; name another with -o"
    case .noSource(let text, let nearest):
      "\"\(text)\" is nothing to look at\(nearest.map { "; did you mean \($0)?" } ?? ":") name a sensor, such as accel or "
        + "gyro=iio:0, or a source, such as serial:/dev/ttyACM0 or tape:FILE (momu devices shows what is here)"
    case .tapeAlone(let path):
      "tape:\(path) is drawn whole, and alone: leave out the other sources, --seconds and --window, or play it beside "
        + "them: accel=tape:\(path)"
    case .nothingToDraw(let path):
      "there are no numbers on \(path): momu tape inspect \(path) shows what there is"
    case .nothingSeen:
      "nothing was heard, so there is nothing to draw: momu devices shows what is here, and who may use it"
    case .nothingAnswered(let target):
      """
      nothing answered at \(target)
        there, start something that answers: \(Self.answerer(target))
        then, at both ends: momu doctor
      """
    case .refused(let target):
      """
      there is a machine at \(target), but no program listens on that port
        there, start something that answers: \(Self.answerer(target))
      """
    }
  }
}

extension ToolError {
  /// What to start where pings go.
  private static func answerer(_ target: String) -> String {
    let port = target.split(separator: ":").last.map(String.init) ?? ""
    return "momu osc listen" + (port == Port.usual.description ? "" : " --port \(port)")
  }

  /// The tape's own error, but for those whose advice is an option that this tool has not.
  static func explaining(_ error: OSCTapeError) -> any Error {
    switch error {
    case .unreadable(let path, let reason): ToolError.noTape(path: path, reason: reason)
    case .uncreatable(let path, let reason): ToolError.cannotRecord(path: path, reason: reason)
    case .notATape: ToolError.notATape(error.text(recordedBy: "momu osc record"))
    default: error
    }
  }
}
