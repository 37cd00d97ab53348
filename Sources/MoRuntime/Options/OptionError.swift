import MoCore

/// An error in the options; its text is shown to the user.
package enum OptionError: Error, CustomStringConvertible {
  case unknown(String, nearest: String?)
  case unexpected(String)
  case declaredTwice(String)
  case missing(RunOption)
  case takesNothing(String)
  case wrongValue(String, String, wants: String)
  case configuration(path: String, reason: String)

  package var description: String {
    switch self {
    case .unknown(let typed, let nearest?):
      "unknown option \(typed): did you mean \(nearest)? --help lists all options"
    case .unknown(let typed, nil): "unknown option \(typed): --help lists all options"
    case .unexpected(let typed): "\(typed) is not an option: options begin with --, and --help lists them"
    case .declaredTwice(let flag):
      "this program declares \(flag), which it already has: give its own option another name"
    case .missing(let option):
      "\(option.flag) needs a value: \(option.flag) \(option.value.placeholder ?? "") (\(option.help))"
    case .takesNothing(let flag): "\(flag) takes no value: type it alone"
    case .wrongValue(let source, let text, let wants): "\(source) is \"\(text)\", but must be \(wants)"
    case .configuration(let path, let reason): "\(path) cannot be used: \(reason)"
    }
  }

  /// Returns the option whose name is most similar to the typed text, such as `--quiet`; nil if no name is similar
  /// enough.
  static func nearest(to typed: String, among options: [RunOption]) -> String? {
    let name = String(typed.drop { $0 == "-" })
    return Spelling.nearest(to: name, among: options.map(\.name)).map { "--\($0)" }
  }
}
