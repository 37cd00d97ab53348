import Glibc
import MoAudioDevices
import MoCore

/// A JACK server with a single client, whose periods the test requests; C functions cannot capture, so it is global.
enum FakeJACK {
  typealias Process = @convention(c) (UInt32, UnsafeMutableRawPointer?) -> Int32
  typealias Count = @convention(c) (UnsafeMutableRawPointer?) -> Int32
  typealias PortNotice = @convention(c) (UInt32, Int32, UnsafeMutableRawPointer?) -> Void

  private struct Callbacks {
    var process: UInt = 0
    var xrun: UInt = 0
    var ports: UInt = 0
    var context: UInt = 0
  }

  private static let callbacks = Locked(Callbacks())
  /// The event for which the server waits before it accepts a client; nil if it accepts each client immediately.
  static let hang = Locked<WakeEvent?>(nil)
  private static let closings = Locked(0)
  private static let closed = WakeEvent()
  /// The longest period, in frames.
  static let longest = 1024
  private nonisolated(unsafe) static let pipeWire = strdup("3.0.0.0 (using PipeWire 1.4.2)")
  /// The buffer of every port.
  nonisolated(unsafe) static let buffer = UnsafeMutablePointer<Float>.allocate(capacity: longest)

  /// Requests a period on the server's thread, and returns the output; before, the buffer has samples of 9.
  static func period(_ frames: Int) throws -> [Float] {
    buffer.initialize(repeating: 9, count: longest)
    let thread = try MoThread(name: "fake-jack") { _ in
      let now = callbacks.withLock { $0 }
      guard let process = UnsafeRawPointer(bitPattern: now.process) else { return }
      _ = unsafeBitCast(process, to: Process.self)(
        UInt32(frames), UnsafeMutableRawPointer(bitPattern: now.context))
    }
    thread.join()
    return (0..<frames).map { buffer[$0] }
  }

  /// Reports an xrun to the client.
  static func xrun() {
    let now = callbacks.withLock { $0 }
    guard let xrun = UnsafeRawPointer(bitPattern: now.xrun) else { return }
    _ = unsafeBitCast(xrun, to: Count.self)(UnsafeMutableRawPointer(bitPattern: now.context))
  }

  private static let patch = Locked((loudspeakers: [String](), connections: Set<String>()))

  /// The connections, each as `FROM > TO`; the ports of the client are `momu:out_1` and so on.
  static var connections: Set<String> {
    get { patch.withLock { $0.connections } }
    set { patch.withLock { $0.connections = newValue } }
  }

  /// Sets the ports of the loudspeakers, removes the connections of the ports that disappear, and notifies the client.
  static func setLoudspeakers(_ names: [String]) {
    patch.withLock { patch in
      patch.loudspeakers = names
      patch.connections = patch.connections.filter { connection in names.contains { connection.hasSuffix($0) }
      }
    }
    let now = callbacks.withLock { $0 }
    guard let notice = UnsafeRawPointer(bitPattern: now.ports) else { return }
    unsafeBitCast(notice, to: PortNotice.self)(1, 1, UnsafeMutableRawPointer(bitPattern: now.context))
  }

  /// The number of clients that were closed.
  static var closedClients: Int { closings.withLock { $0 } }

  /// Waits until `count` clients were closed in total.
  static func waitForClosedClients(_ count: Int) { while closedClients < count { closed.wait(for: nil) } }

  /// Returns the functions of this server, as JACK's own library or as PipeWire's library.
  static func library(isPipeWire: Bool = false) -> JACKLibrary? {
    JACKLibrary { name in
      name == "jack_get_version_string" && !isPipeWire ? nil : functions[name]
    }
  }

  private static func keep<Function>(
    _ function: Function, _ context: UnsafeMutableRawPointer?, as field: WritableKeyPath<Callbacks, UInt>
  ) {
    callbacks.withLock { callbacks in
      callbacks[keyPath: field] = UInt(bitPattern: unsafeBitCast(function, to: UnsafeRawPointer.self))
      callbacks.context = UInt(bitPattern: context)
    }
  }

  private nonisolated(unsafe) static let functions: [String: UnsafeMutableRawPointer] = {
    typealias Client = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    let one: @convention(c) (Client) -> Int32 = { _ in 0 }
    let rate: @convention(c) (Client) -> UInt32 = { _ in 48_000 }
    let period: @convention(c) (Client) -> UInt32 = { _ in 64 }
    let open: @convention(c) (Text?, Int32, UnsafeMutablePointer<Int32>?) -> Client? = { _, _, _ in
      hang.withLock { $0 }?.wait(for: nil)
      return OpaquePointer(bitPattern: 1)
    }
    let close: @convention(c) (Client) -> Int32 = { _ in
      callbacks.withLock { $0 = Callbacks() }
      closings.withLock { $0 += 1 }
      closed.raise()
      return 0
    }
    let name: @convention(c) (OpaquePointer) -> Text? = { _ in nil }
    let setProcess: @convention(c) (Client, Process, UnsafeMutableRawPointer?) -> Int32 = {
      _, process, context in
      keep(process, context, as: \.process)
      return 0
    }
    let setXrun: @convention(c) (Client, Count, UnsafeMutableRawPointer?) -> Int32 = { _, xrun, context in
      keep(xrun, context, as: \.xrun)
      return 0
    }
    let setPorts: @convention(c) (Client, PortNotice, UnsafeMutableRawPointer?) -> Int32 = {
      _, notice, context in
      keep(notice, context, as: \.ports)
      return 0
    }
    let ignore: @convention(c) (Client, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Int32 = { _, _, _ in 0
    }
    // A port is the address of its name.
    let register: @convention(c) (Client, Text, Text?, UInt, UInt) -> OpaquePointer? = { _, name, _, _, _ in
      strdup("momu:\(String(cString: name))").map { OpaquePointer($0) }
    }
    let portName: @convention(c) (OpaquePointer) -> Text? = { Text($0) }
    let samples: @convention(c) (OpaquePointer, UInt32) -> UnsafeMutableRawPointer? = { _, _ in
      UnsafeMutableRawPointer(buffer)
    }
    let latency: @convention(c) (OpaquePointer, Int32, UnsafeMutableRawPointer) -> Void = { _, _, _ in }
    let ports: @convention(c) (Client, Text?, Text?, UInt) -> UnsafeMutableRawPointer? = { _, _, _, flags in
      // The loudspeakers are inputs of the server (1); it has no microphones.
      let names = flags & 1 == 1 ? patch.withLock { $0.loudspeakers } : []
      guard !names.isEmpty else { return nil }
      let list = UnsafeMutablePointer<Text?>.allocate(capacity: names.count + 1)
      list.initialize(repeating: nil, count: names.count + 1)
      for (index, name) in names.enumerated() { list[index] = strdup(name).map { Text($0) } }
      return UnsafeMutableRawPointer(list)
    }
    let connect: @convention(c) (Client, Text, Text) -> Int32 = { _, from, to in
      connections.insert("\(String(cString: from)) > \(String(cString: to))")
      return 0
    }
    let time: @convention(c) () -> UInt64 = { 0 }
    let version: @convention(c) () -> Text? = { UnsafePointer(pipeWire) }
    let free: @convention(c) (UnsafeMutableRawPointer?) -> Void = { $0?.deallocate() }
    let times:
      @convention(c) (
        Client, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt64>?, UnsafeMutablePointer<UInt64>?,
        UnsafeMutablePointer<Float>?
      ) -> Int32 = { _, _, _, _, _ in 1 }
    func address<Function>(_ function: Function) -> UnsafeMutableRawPointer {
      unsafeBitCast(function, to: UnsafeMutableRawPointer.self)
    }
    return [
      "jack_client_open": address(open), "jack_client_close": address(close), "jack_activate": address(one),
      "jack_deactivate": address(one), "jack_is_realtime": address(one),
      "jack_get_client_name": address(name), "jack_port_name": address(portName),
      "jack_get_sample_rate": address(rate), "jack_get_buffer_size": address(period),
      "jack_set_process_callback": address(setProcess), "jack_set_xrun_callback": address(setXrun),
      "jack_set_port_registration_callback": address(setPorts),
      "jack_on_shutdown": address(ignore), "jack_set_latency_callback": address(ignore),
      "jack_port_register": address(register), "jack_port_get_buffer": address(samples),
      "jack_port_get_latency_range": address(latency), "jack_get_ports": address(ports),
      "jack_connect": address(connect), "jack_get_time": address(time), "jack_free": address(free),
      "jack_get_cycle_times": address(times), "jack_get_version_string": address(version),
    ]
  }()
}
