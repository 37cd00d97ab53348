import CMoSystem
import Glibc
import MoAudioEngine
import MoCore
import MoRuntime

/// The functions of libjack that MoMu uses.
///
/// - Source: <https://jackaudio.org/api/>.
package struct JACKLibrary: Sendable {
  typealias Client = OpaquePointer
  typealias Port = OpaquePointer
  typealias Process = @convention(c) (UInt32, UnsafeMutableRawPointer?) -> Int32
  typealias Notice = @convention(c) (UnsafeMutableRawPointer?) -> Void
  typealias Count = @convention(c) (UnsafeMutableRawPointer?) -> Int32
  typealias PortNotice = @convention(c) (UInt32, Int32, UnsafeMutableRawPointer?) -> Void
  typealias LatencyNotice = @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void
  typealias Names = UnsafeMutablePointer<UnsafePointer<CChar>?>
  typealias MessageHandler = @convention(c) (UnsafePointer<CChar>?) -> Void

  /// The memory layout of `jack_latency_range_t`: the least and the greatest latency of a port, in frames.
  struct LatencyRange {
    var least: UInt32 = 0
    var most: UInt32 = 0
  }

  /// The results of `jack_get_cycle_times` about the present period: its start in frames and in microseconds, its end
  /// (`next`) and its length (`period`), both in microseconds.
  struct CycleTimes {
    var frames: UInt32 = 0
    var microseconds: UInt64 = 0
    var next: UInt64 = 0
    var period: Float = 0
  }

  let openFunction: UInt
  let close: @convention(c) (Client) -> Int32
  let activate: @convention(c) (Client) -> Int32
  let deactivate: @convention(c) (Client) -> Int32
  let clientName: @convention(c) (Client) -> UnsafePointer<CChar>?
  let sampleRate: @convention(c) (Client) -> UInt32
  let bufferSize: @convention(c) (Client) -> UInt32
  let isRealTime: @convention(c) (Client) -> Int32
  let setProcess: @convention(c) (Client, Process, UnsafeMutableRawPointer?) -> Int32
  let onShutdown: @convention(c) (Client, Notice, UnsafeMutableRawPointer?) -> Void
  let setXrun: @convention(c) (Client, Count, UnsafeMutableRawPointer?) -> Int32
  let setPorts: @convention(c) (Client, PortNotice, UnsafeMutableRawPointer?) -> Int32
  let setLatency: @convention(c) (Client, LatencyNotice, UnsafeMutableRawPointer?) -> Int32
  let register: @convention(c) (Client, UnsafePointer<CChar>, UnsafePointer<CChar>, UInt, UInt) -> Port?
  let portName: @convention(c) (Port) -> UnsafePointer<CChar>?
  let buffer: @convention(c) (Port, UInt32) -> UnsafeMutableRawPointer?
  let latencyRange: @convention(c) (Port, Int32, UnsafeMutableRawPointer) -> Void
  let ports: @convention(c) (Client, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt) -> Names?
  let connect: @convention(c) (Client, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let cycleTimes:
    @convention(c) (
      Client, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<UInt64>,
      UnsafeMutablePointer<Float>
    ) -> Int32
  let time: @convention(c) () -> UInt64
  /// Whether the library is PipeWire's version of libjack, not JACK's own.
  let isPipeWire: Bool

  static let audioType = "32 bit float mono audio"
  static let (isInput, isOutput, isPhysical): (UInt, UInt, UInt) = (1, 2, 4)
  /// JACK's flag `JackNoStartServer`, which MoMu always sets: a program that plays sound must not start a server.
  static let noStart: Int32 = 1
  static let (captureLatency, playbackLatency): (Int32, Int32) = (0, 1)

  /// The installed libraries, in the order in which MoMu tries to open a client with them; they are never unloaded.
  ///
  /// The system's library comes first. If the system's library is JACK's own, PipeWire's version is in a separate
  /// folder and comes second.
  static let loaded: [JACKLibrary] = names.compactMap { JACKLibrary(name: $0) }

  private static let names: [String] = {
    #if arch(arm64)
      let machine = "aarch64-linux-gnu"
    #else
      let machine = "x86_64-linux-gnu"
    #endif
    return ["libjack.so.0"]
      + ["lib/\(machine)", "lib64", "lib"].map { "/usr/\($0)/pipewire-0.3/jack/libjack.so.0" }
  }()

  init?(name: String) {
    guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.init { dlsym(library, $0) }
  }

  /// - Parameter address: returns the address of a function of the library, such as `jack_client_open`; nil if the
  ///   library does not have the function.
  package init?(address: (String) -> UnsafeMutableRawPointer?) {
    func function<Function>(_ name: String, _: Function.Type) -> Function? {
      address("jack_" + name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let open = address("jack_client_open"),
      let close = function("client_close", type(of: close)),
      let activate = function("activate", type(of: activate)),
      let deactivate = function("deactivate", type(of: deactivate)),
      let clientName = function("get_client_name", type(of: clientName)),
      let sampleRate = function("get_sample_rate", type(of: sampleRate)),
      let bufferSize = function("get_buffer_size", type(of: bufferSize)),
      let isRealTime = function("is_realtime", type(of: isRealTime)),
      let setProcess = function("set_process_callback", type(of: setProcess)),
      let onShutdown = function("on_shutdown", type(of: onShutdown)),
      let setXrun = function("set_xrun_callback", type(of: setXrun)),
      let setPorts = function("set_port_registration_callback", type(of: setPorts)),
      let setLatency = function("set_latency_callback", type(of: setLatency)),
      let register = function("port_register", type(of: register)),
      let portName = function("port_name", type(of: portName)),
      let buffer = function("port_get_buffer", type(of: buffer)),
      let latencyRange = function("port_get_latency_range", type(of: latencyRange)),
      let ports = function("get_ports", type(of: ports)),
      let connect = function("connect", type(of: connect)),
      let time = function("get_time", type(of: time)), let free = function("free", type(of: free)),
      let cycleTimes = function("get_cycle_times", type(of: cycleTimes))
    else { return nil }
    openFunction = UInt(bitPattern: open)
    (self.close, self.activate, self.deactivate) = (close, activate, deactivate)
    (self.clientName, self.sampleRate, self.bufferSize) = (clientName, sampleRate, bufferSize)
    (self.isRealTime, self.setProcess, self.onShutdown) = (isRealTime, setProcess, onShutdown)
    (self.setXrun, self.setPorts, self.setLatency) = (setXrun, setPorts, setLatency)
    self.register = register
    (self.portName, self.buffer, self.latencyRange) = (portName, buffer, latencyRange)
    self.time = time
    (self.ports, self.connect, self.free, self.cycleTimes) = (ports, connect, free, cycleTimes)
    let version = function("get_version_string", (@convention(c) () -> UnsafePointer<CChar>?).self)?()
    isPipeWire = version.map { String(cString: $0).contains("PipeWire") } ?? false
    // Errors report failures; the library must not write to the terminal.
    for name in ["set_error_function", "set_info_function"] {
      function(name, (@convention(c) (MessageHandler) -> Void).self)?({ _ in })
    }
  }

  /// Opens a client of the running server; nil if no server runs.
  func open(_ name: String) -> Client? {
    var status: Int32 = 0
    return momu_jack_open(UnsafeMutableRawPointer(bitPattern: openFunction), name, Self.noStart, &status)
  }
}

/// Finds the JACK server, either JACK's own or PipeWire, and becomes its client.
package enum JACKOpening {
  /// Returns whether a name of `--audio` means JACK: `jack`, or `jack:NAME` with a client name.
  static func isJACK(_ name: String) -> Bool { name == "jack" || name.hasPrefix("jack:") }

  /// Opens a client of the running server, with ports for the wanted outputs and inputs, but does not start it.
  ///
  /// - Throws: `AudioError`, whose text says what to install, to start or to restart; the error is `.noAnswer` if the
  ///   server does not answer before the timeout.
  package static func open(
    _ name: String, wanted: DeviceRequest, libraries: [JACKLibrary] = JACKLibrary.loaded,
    timeout: Duration = .seconds(5)
  ) throws(AudioError) -> any AudioDevice {
    guard !libraries.isEmpty else { throw .noJACKLibrary(name: name) }
    let typed = name.dropFirst("jack:".count)
    let clientName = typed.isEmpty ? SystemFiles.line(of: "/proc/self/comm") ?? "MoMu" : String(typed)
    return try DeviceOpening.run(
      name, key: name, timeout: timeout, discard: { $0.close() },
      with: { () throws(AudioError) -> JACKDevice in
        for library in libraries {
          if library.isPipeWire { wishForPeriod(wanted) }
          if let client = library.open(clientName) {
            return try JACKDevice(name: name, library: library, client: client, wanted: wanted)
          }
        }
        throw .noJACKServer(name: name)
      })
  }

  /// Returns the entry `jack` of the device list, with the server's rate and period.
  ///
  /// The result is nil if no server runs, or if the server does not answer before the timeout.
  package static func device(
    libraries: [JACKLibrary] = JACKLibrary.loaded, timeout: Duration = .seconds(2)
  ) -> NamedDevice? {
    guard !libraries.isEmpty else { return nil }
    let clientName = "momu-list"
    return try? DeviceOpening.run(
      "jack", key: clientName, timeout: timeout, discard: { _ in },
      with: { () throws(AudioError) -> NamedDevice? in
        for library in libraries {
          guard let client = library.open(clientName) else { continue }
          defer { _ = library.close(client) }
          let server = library.isPipeWire ? "PipeWire, as a JACK server" : "the JACK server"
          let about =
            "\(server), \(library.sampleRate(client)) Hz in periods of \(library.bufferSize(client)) frames"
          return NamedDevice(name: "jack", about: about, isReal: true)
        }
        return nil
      })
  }

  /// The value that MoMu has given to `PIPEWIRE_LATENCY`; nil before the first request.
  private static let requestedLatency = Locked<String?>(nil)

  /// Requests MoMu's block length from PipeWire's library, through the environment variable `PIPEWIRE_LATENCY`.
  ///
  /// PipeWire need not follow the request: its graph runs at the shortest period that any client requests. A server of
  /// JACK's own gets no request, since it has one period for all clients. If the user has set the variable, its value
  /// stays.
  private static func wishForPeriod(_ wanted: DeviceRequest) {
    let latency = "\(wanted.format.blockFrames)/\(Int(wanted.format.sampleRate))"
    requestedLatency.withLock { own in
      let present = getenv("PIPEWIRE_LATENCY").map { String(cString: $0) }
      guard present == nil || present == own else { return }
      setenv("PIPEWIRE_LATENCY", latency, 1)
      own = latency
    }
  }
}
