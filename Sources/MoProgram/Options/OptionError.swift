/// Why the options could not be read; its text is what the user sees.
package enum OptionError: Error, CustomStringConvertible {
  case unknown(String, nearest: String?)
  case unexpected(String)
  case missing(RunOption)
  case takesNothing(String)
  case wrongValue(String, String, wants: String)
  case configuration(path: String, reason: String)

  package var description: String {
    switch self {
    case .unknown(let typed, let nearest?):
      "unknown option \(typed): did you mean \(nearest)? --help shows them all"
    case .unknown(let typed, nil): "unknown option \(typed): --help shows them all"
    case .unexpected(let typed): "\(typed) is not an option: they begin with --, and --help shows them all"
    case .missing(let option):
      "\(option.flag) needs a value: \(option.flag) \(option.value.placeholder ?? "") (\(option.help))"
    case .takesNothing(let flag): "\(flag) takes no value: type it alone"
    case .wrongValue(let source, let text, let wants): "\(source) is \"\(text)\", but wants \(wants)"
    case .configuration(let path, let reason): "\(path) cannot be used: \(reason)"
    }
  }

  /// The option most like what was typed, if any is near enough to be meant.
  static func nearest(to typed: String) -> String? {
    let ranked = RunOption.table.map { ($0.flag, editDistance($0.flag, typed)) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= 3 else { return nil }
    return best.0
  }

  /// Letters to insert, delete or replace to get from one word to the other (Wagner and Fischer, 1974).
  private static func editDistance(_ first: String, _ second: String) -> Int {
    let columns = Array(second)
    var row = Array(0...columns.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in columns.indices {
        let cost = diagonal + (columns[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(cost, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[columns.count]
  }
}
