import Glibc
import MoRuntime

/// The sound server behind ALSA's `default`, as its own tools describe it.
///
/// MoMu runs these tools because they come with the servers, know their protocol, and print the same in all common
/// versions. Without the tools, MoMu would have to load two more libraries, which have callbacks and threads of their
/// own.
package struct SoundServer: Equatable, Sendable {
  /// An output of the server.
  package struct Sink: Equatable, Sendable {
    /// The name by which the server knows the output.
    package var name: String
    package var title: String
    package var isDefault: Bool

    package init(name: String, title: String, isDefault: Bool) {
      (self.name, self.title, self.isDefault) = (name, title, isDefault)
    }
  }

  /// The type of ALSA's plugin: `pipewire`, `pulse`, `jack`.
  package var type: String
  package var sinks: [Sink]

  package init(type: String, sinks: [Sink]) { (self.type, self.sinks) = (type, sinks) }

  /// The usual name of the server.
  package var title: String {
    switch type {
    case "pipewire": "PipeWire"
    case "pulse": "PulseAudio"
    case "jack": "JACK"
    case "oss": "OSS"
    case "bluealsa": "BlueALSA"
    default: type
    }
  }

  /// Whether tools exist that list its sinks.
  private var hasTools: Bool { type == "pipewire" || type == "pulse" }

  /// Returns the value of `--audio` for a sink.
  package func option(for sink: Sink) -> String {
    type == "pipewire" ? "pipewire:NODE=\(sink.name)" : "\(type):\(sink.name)"
  }

  /// Returns the sound server of this machine; nil if `default` leads to none.
  package static func current(run: ([String]) -> String? = ask) -> SoundServer? {
    guard case .server(let type) = ALSADefault.destination(of: "default") else { return nil }
    return SoundServer(type: type, run: run)
  }

  /// - Parameter run: returns the output of a program; nil if it is missing or failed.
  init(type: String, run: ([String]) -> String?) {
    self.type = type
    sinks = []
    switch type {
    case "pipewire":
      let chosen = run(["pw-metadata", "0", "default.audio.sink"]).flatMap(
        SoundServer.quoted(after: "\"name\""))
      sinks = SoundServer.pipeWireSinks(run(["pw-cli", "ls", "Node"]) ?? "", default: chosen)
      if sinks.isEmpty { fallthrough }
    case "pulse":
      let chosen = run(["pactl", "get-default-sink"])?.split(separator: "\n").first.map(String.init)
      sinks = SoundServer.pulseSinks(run(["pactl", "list", "sinks"]) ?? "", default: chosen)
    default: break
    }
  }

  /// Parses `pw-cli ls Node`: a head line per node, then its properties, `node.name = "…"`.
  static func pipeWireSinks(_ text: String, default chosen: String?) -> [Sink] {
    var nodes: [[String: String]] = []
    for line in text.split(separator: "\n") {
      let words = line.trimmingSpace
      if words.hasPrefix("id ") { nodes.append([:]) }
      guard !nodes.isEmpty, let sign = words.firstRange(of: " = \""), words.hasSuffix("\"") else { continue }
      nodes[nodes.count - 1][String(words[..<sign.lowerBound])] = String(words[sign.upperBound...].dropLast())
    }
    return nodes.compactMap { node in
      guard let kind = node["media.class"], kind.hasPrefix("Audio/Sink") || kind == "Audio/Duplex",
        let name = node["node.name"]
      else { return nil }
      return Sink(name: name, title: node["node.description"] ?? name, isDefault: name == chosen)
    }
  }

  /// Parses `pactl list sinks`, in English.
  static func pulseSinks(_ text: String, default chosen: String?) -> [Sink] {
    var found: [Sink] = []
    for line in text.split(separator: "\n").map(\.trimmingSpace) {
      if line.hasPrefix("Name: ") {
        let name = String(line.dropFirst("Name: ".count))
        found.append(Sink(name: name, title: name, isDefault: name == chosen))
      } else if line.hasPrefix("Description: "), !found.isEmpty {
        found[found.count - 1].title = String(line.dropFirst("Description: ".count))
      }
    }
    return found
  }

  /// Returns a function that finds the quoted text after a key and a colon.
  private static func quoted(after key: String) -> (String) -> String? {
    { text in
      guard let place = text.firstRange(of: key), let open = text[place.upperBound...].firstIndex(of: "\"")
      else { return nil }
      let rest = text[text.index(after: open)...]
      return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
    }
  }

  /// Runs a tool in English for two seconds at most, as a server that hangs blocks its tools too.
  package static func ask(_ words: [String]) -> String? {
    let line = "LC_ALL=C exec timeout 2 " + words.joined(separator: " ") + " 2>/dev/null </dev/null"
    // `timeout` ends by a signal, and children inherit the signal mask of this thread.
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    let opened = popen(line, "r")
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard let output = opened else { return nil }
    var bytes: [UInt8] = []
    while case let letter = fgetc(output), letter != EOF { bytes.append(UInt8(truncatingIfNeeded: letter)) }
    return pclose(output) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

extension Substring {
  /// The text without leading white space.
  fileprivate var trimmingSpace: Substring { drop { $0.isWhitespace } }
}

extension SoundServer {
  /// Returns the names for `--audio`: `default`, and the sinks if ALSA knows the server by its own name.
  package func devices() -> [NamedDevice] {
    let chosen = sinks.first { $0.isDefault } ?? (sinks.count == 1 ? sinks.first : nil)
    let about =
      chosen.map { "\(title), now on \($0.title)" }
      ?? "\(title)\(sinks.isEmpty && hasTools ? ", which names no sink" : "")"
    let isNamed = ALSADefault.destination(of: type) == .server(type)
    return [NamedDevice(name: "default", about: about, isReal: true)]
      + (isNamed
        ? sinks.map { NamedDevice(name: option(for: $0), about: "\(title), \($0.title)", isReal: true) } : [])
  }
}
