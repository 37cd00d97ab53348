import Glibc
import MoRuntime

/// The sound server to which ALSA's device `default` leads, with its outputs as the server's own tools list them.
///
/// MoMu runs these tools because they come with the servers, know their protocol, and have the same output in all
/// common versions. Without the tools, MoMu would have to load two more libraries, which have callbacks and threads of
/// their own.
package struct SoundServer: Equatable, Sendable {
  /// An output of the sound server, such as a loudspeaker.
  package struct Sink: Equatable, Sendable {
    /// The server's identifier for the output, such as `alsa_output.usb-1.analog-stereo`.
    package var name: String
    /// The name of the output for people.
    package var title: String
    package var isDefault: Bool

    package init(name: String, title: String, isDefault: Bool) {
      (self.name, self.title, self.isDefault) = (name, title, isDefault)
    }
  }

  /// The type of the ALSA plugin that leads to the server: `pipewire`, `pulse`, `jack`, `oss` or `bluealsa`.
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

  /// Whether MoMu knows tools that list the server's sinks.
  private var hasTools: Bool { type == "pipewire" || type == "pulse" }

  /// Returns the value of `--audio` that plays on a sink, such as `pulse:NAME` or `pipewire:NODE=NAME`.
  package func option(for sink: Sink) -> String {
    type == "pipewire" ? "pipewire:NODE=\(sink.name)" : "\(type):\(sink.name)"
  }

  /// Returns the sound server of this machine; nil if `default` leads to a card, or to no device.
  package static func current(run: ([String]) -> String? = ask) -> SoundServer? {
    guard case .server(let type) = ALSADefault.destination(of: "default") else { return nil }
    return SoundServer(type: type, run: run)
  }

  /// Creates the description of a server, with the sinks that the server's tools list.
  ///
  /// - Parameter run: runs a command, given as words, and returns its output; nil if the program is missing or failed.
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

  /// Returns the sinks in the output of `pw-cli ls Node`.
  ///
  /// The output has a line with `id` for each node, followed by the node's properties, such as `node.name = "…"`.
  ///
  /// - Parameter chosen: the name of the default sink; nil if unknown.
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

  /// Returns the sinks in the English output of `pactl list sinks`.
  ///
  /// - Parameter chosen: the name of the default sink; nil if unknown.
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

  /// Returns a function that finds the first quoted text after `key`, such as `built-in` in `"name":"built-in"`.
  private static func quoted(after key: String) -> (String) -> String? {
    { text in
      guard let place = text.firstRange(of: key), let open = text[place.upperBound...].firstIndex(of: "\"")
      else { return nil }
      let rest = text[text.index(after: open)...]
      return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
    }
  }

  /// Runs a tool with English output, and returns this output; nil if the tool fails or takes more than two seconds.
  ///
  /// The timeout is necessary, as a server that hangs blocks its tools, too.
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
  /// Returns the devices for `--audio`: `default`, and the sinks if ALSA has a device with the name of the server's
  /// `type`.
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
