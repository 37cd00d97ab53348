import Glibc
import MoAudioEngine
import MoRuntime

/// Finds the JACK server, be it JACK's own or PipeWire, and becomes its client.
enum JACKOpening {
  /// Whether a name of `--audio` means JACK: `jack`, or `jack:NAME` with what others see the program as.
  static func isJACK(_ name: String) -> Bool { name == "jack" || name.hasPrefix("jack:") }

  /// Opens the server's output and input, not started.
  ///
  /// - Throws: `AudioError`, whose text says what to install or to start.
  static func open(
    _ name: String, wanted: DeviceRequest, libraries: [JACKLibrary] = JACKLibrary.loaded
  ) throws(AudioError) -> JACKDevice {
    guard !libraries.isEmpty else { throw .noJACKLibrary(name: name) }
    let typed = name.dropFirst("jack:".count)
    let clientName = typed.isEmpty ? SystemFiles.line(of: "/proc/self/comm") ?? "MoMu" : String(typed)
    for library in libraries {
      if library.isPipeWire { wishForPeriod(wanted) }
      if let client = library.open(clientName) {
        return try JACKDevice(name: name, library: library, client: client, wanted: wanted)
      }
    }
    throw .noJACKServer(name: name)
  }

  /// `jack` as a list shows it; nil where no server runs.
  static func device(libraries: [JACKLibrary] = JACKLibrary.loaded) -> NamedDevice? {
    for library in libraries {
      guard let client = library.open("momu-list") else { continue }
      defer { _ = library.close(client) }
      let server = library.isPipeWire ? "PipeWire, as a JACK server" : "the JACK server"
      let about =
        "\(server), \(library.sampleRate(client)) Hz in periods of \(library.bufferSize(client)) frames"
      return NamedDevice(name: "jack", about: about, isReal: true)
    }
    return nil
  }

  /// Tells PipeWire's library, which reads it in the environment, the period that would suit us.
  ///
  /// It is a wish: the graph runs at the least that any client wishes for. JACK's own has one period for all.
  private static func wishForPeriod(_ wanted: DeviceRequest) {
    setenv("PIPEWIRE_LATENCY", "\(wanted.format.blockFrames)/\(Int(wanted.format.sampleRate))", 0)
  }
}
