import MoOSC

/// Why a verb could not do what it was told; its text is what the user sees.
enum ToolError: Error, CustomStringConvertible, Equatable {
  case badValue(number: Int, word: String, type: Character, wants: String)
  case badType(Character)
  case wrongCount(types: String, wanted: Int, given: Int)
  case nothingAnswered(target: String)
  case refused(target: String, port: Int)

  var description: String {
    switch self {
    case .badValue(let number, let word, let type, let wants):
      "value \(number) is \"\(word)\", but its type \(type) wants \(wants)"
    case .badType(let type):
      "there is no type \(type): use i f s b h d t S c m, and T F N I for values without a word"
    case .wrongCount(let types, let wanted, let given):
      "the types \(types) want \(wanted) \(wanted == 1 ? "value" : "values"), and \(given) \(given == 1 ? "is" : "are") given"
    case .nothingAnswered(let target):
      """
      nothing answered at \(target)
        there, start something that answers: momu osc listen
        then, at both ends: momu doctor
      """
    case .refused(let target, let port):
      """
      \(target) is there, but no program listens on its UDP port \(port)
        there, start something that answers: momu osc listen --port \(port)
      """
    }
  }
}
