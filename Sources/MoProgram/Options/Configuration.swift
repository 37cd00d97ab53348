import FoundationEssentials
import Glibc

/// The configuration file: a JSON object whose keys are option names, such as `{"audio": "hw:1", "quiet": true}`.
package enum Configuration {
  /// Where it is: `$XDG_CONFIG_HOME/momu/config.json`, or under `~/.config`.
  package static func path(_ environment: [String: String]) -> String? {
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return "\(base)/momu/config.json" }
    return environment["HOME"].map { "\($0)/.config/momu/config.json" }
  }

  /// One value, as text; nil where it is not set.
  ///
  /// - Throws: an error whose text says what is wrong with the file.
  package static func value(_ name: String, _ environment: [String: String]) throws -> String? {
    try read(environment)[name]
  }

  /// Its values by option name; none where there is no file.
  ///
  /// - Throws: `OptionError.configuration` where the file is there and cannot be used.
  package static func read(_ environment: [String: String]) throws(OptionError) -> [String: String] {
    guard let path = path(environment), access(path, F_OK) == 0 else { return [:] }
    let values: [String: Value]
    do {
      values = try JSONDecoder().decode([String: Value].self, from: Data(contentsOf: URL(filePath: path)))
    } catch let error as CocoaError {
      throw .configuration(path: path, reason: "it cannot be read (\(error.code))")
    } catch {
      throw .configuration(
        path: path,
        reason: "it is not a JSON object of option names and values, such as {\"audio\": \"hw:1\"}")
    }
    if let stranger = values.keys.filter({ key in !RunOption.table.contains { $0.key == key } }).min() {
      throw .configuration(path: path, reason: "it sets \"\(stranger)\", which is no option")
    }
    return values.mapValues(\.text)
  }

  /// A value of any plain JSON kind, as the text one would type.
  private struct Value: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        text = flag ? "1" : "0"
      } else if let whole = try? container.decode(Int64.self) {
        text = String(whole)
      } else if let number = try? container.decode(Double.self) {
        text = String(number)
      } else {
        text = try container.decode(String.self)
      }
    }
  }
}
