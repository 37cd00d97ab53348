import Glibc

/// The configuration file: a JSON object whose keys are option names, such as `{"audio": "hw:1", "quiet": true}`.
package enum Configuration {
  /// Returns the path of the configuration file, `config.json` in `folder(_:)`; nil if that folder is nil.
  package static func path(_ environment: [String: String]) -> String? {
    folder(environment).map { "\($0)/config.json" }
  }

  /// Returns the folder of MoMu's settings: `$XDG_CONFIG_HOME/momu` or `$HOME/.config/momu`.
  ///
  /// `XDG_CONFIG_HOME` is ignored if it is not an absolute path. The result is nil if neither variable gives a folder.
  package static func folder(_ environment: [String: String]) -> String? {
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return "\(base)/momu" }
    return environment["HOME"].map { "\($0)/.config/momu" }
  }

  /// Returns the value that the file gives to the option `name`, as text; nil if the file does not set this option.
  ///
  /// - Throws: `OptionError.configuration` if the file exists but cannot be used.
  package static func value(_ name: String, _ environment: [String: String]) throws -> String? {
    try read(environment)[name]
  }

  /// Returns the file's values as texts, by option name; empty if there is no file.
  ///
  /// - Throws: `OptionError.configuration` if the file exists but cannot be used.
  package static func read(_ environment: [String: String]) throws(OptionError) -> [String: String] {
    guard let path = path(environment), access(path, F_OK) == 0 else { return [:] }
    guard access(path, R_OK) == 0 else {
      throw .configuration(path: path, reason: "it cannot be read (\(String(cString: strerror(errno))))")
    }
    let text = WholeFile.text(of: path, bytes: most) ?? ""
    guard let values = FlatJSON(text)?.values else {
      throw .configuration(
        path: path,
        reason: "it is not a JSON object of option names and values, such as {\"audio\": \"hw:1\"}")
    }
    if let stranger = values.keys.filter({ key in !RunOption.table.contains { $0.key == key } }).min() {
      throw .configuration(path: path, reason: "it sets \"\(stranger)\", which is not an option")
    }
    return values
  }

  /// The largest number of bytes that are read from the file.
  private static let most = 1 << 20
}
