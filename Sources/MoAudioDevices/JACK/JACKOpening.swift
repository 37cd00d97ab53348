import Glibc
import MoAudioEngine
import MoRuntime

/// Finds the JACK server, either JACK's own or PipeWire, and becomes its client.
enum JACKOpening {
  /// Returns whether a name of `--audio` means JACK: `jack`, or `jack:NAME` with a client name.
  static func isJACK(_ name: String) -> Bool { name == "jack" || name.hasPrefix("jack:") }

  /// Opens a client of the running server, with ports for the wanted outputs and inputs, but does not start it.
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

  /// Returns the entry `jack` of the device list, with the server's rate and period; nil if no server runs.
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

  /// Requests MoMu's block length from PipeWire's library, through the environment variable `PIPEWIRE_LATENCY`.
  ///
  /// PipeWire need not follow the request: its graph runs at the shortest period that any client requests. A server of
  /// JACK's own gets no request, since it has one period for all clients. If the user has set the variable, its value
  /// stays.
  private static func wishForPeriod(_ wanted: DeviceRequest) {
    setenv("PIPEWIRE_LATENCY", "\(wanted.format.blockFrames)/\(Int(wanted.format.sampleRate))", 0)
  }
}
