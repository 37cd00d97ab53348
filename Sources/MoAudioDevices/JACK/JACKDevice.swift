import CMoSystem
import Glibc
import MoAudioEngine
import MoCore
import Synchronization

/// A client of a JACK server or of PipeWire: named ports, and the server's own thread, period and rate.
///
/// The server's thread calls `process`, which runs the engine there: a handover to another thread would cost a context
/// switch and could be late. The engine's own thread waits meanwhile.
///
/// - Thread: created, started, stopped and closed on an ordinary thread or the engine's; `process` on the server's.
final class JACKDevice: AudioDevice, @unchecked Sendable {
  // Unchecked: fields that are not atomic belong to the server's thread while the gate is open, else to the engine's.
  let name: String
  let format: AudioFormat
  let library: JACKLibrary
  let client: JACKLibrary.Client
  private let feed: BlockFeed
  let outputs: [JACKLibrary.Port]
  let inputs: [JACKLibrary.Port]
  private let outputBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let inputBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let clock = SystemClock()
  private var turn: (AudioDeviceState) -> Void = { _ in }

  private let gate = Atomic<Int>(Gate.closed)
  private let isGone = Atomic<Bool>(false)
  private let isOpen = Atomic<Bool>(true)
  private let xruns = Atomic<Int>(0)
  private let latency = Atomic<Int>(0)
  private let inputLatency = Atomic<Int>(0)
  private let period = Atomic<Int>(0)
  private let wake = WakeEvent()
  /// Whether ports of the server have appeared or disappeared since `wait` last checked the connections.
  private let portsChanged = Atomic<Bool>(false)
  /// The connections that this client makes, in the order of its ports.
  var connections: [Connection] = []
  /// The number of the server's xruns that were already reported to the engine.
  private var knownXruns = 0
  /// The server's frame count at the expected start of the next period; nil before the first period.
  private var nextFrames: UInt32?
  /// Whether `wait` has opened the gate since `start`; only the engine's thread uses it.
  private var hasOpened = false

  /// The states of `gate`, which decides whether the server's thread may run the engine; `busy` while that thread runs
  /// the engine.
  private enum Gate {
    static let (closed, open, busy) = (0, 1, 2)
  }

  /// The timeout of `wait`, after which the engine's thread checks for other work, such as a device that is to replace
  /// this device.
  private static let checkInterval = Duration.milliseconds(20)

  /// Creates the ports of a client that is already open; closes the client if this fails.
  ///
  /// - Throws: `AudioError` if the server's rate differs from the rate that `wanted` fixes, or if the server has too
  ///   few free ports.
  init(
    name: String, library: JACKLibrary, client: JACKLibrary.Client, wanted: DeviceRequest
  ) throws(AudioError) {
    (self.name, self.library, self.client) = (name, library, client)
    let rate = Double(library.sampleRate(client))
    let frames = Int(library.bufferSize(client))
    var format = wanted.format
    guard rate == format.sampleRate || !wanted.isRateFixed else {
      _ = library.close(client)
      throw .serverRate(name: name, rate: Int(rate), wanted: Int(format.sampleRate))
    }
    format.sampleRate = rate
    if !wanted.isBlockFixed { format.blockFrames = max(1, min(frames, BlockRenderer.capacityFrames)) }
    self.format = format
    period.store(frames, ordering: .relaxed)
    func ports(_ word: String, _ count: Int, _ flags: UInt) -> [JACKLibrary.Port] {
      (0..<count).compactMap {
        library.register(client, "\(word)_\($0 + 1)", JACKLibrary.audioType, flags, 0)
      }
    }
    outputs = ports("out", format.outputs, JACKLibrary.isOutput)
    inputs = ports("in", format.inputs, JACKLibrary.isInput)
    feed = BlockFeed(format: format)
    outputBuffers = .allocate(capacity: max(1, format.outputs))
    outputBuffers.initialize(repeating: nil, count: max(1, format.outputs))
    inputBuffers = .allocate(capacity: max(1, format.inputs))
    inputBuffers.initialize(repeating: nil, count: max(1, format.inputs))
    guard outputs.count == format.outputs, inputs.count == format.inputs else {
      _ = library.close(client)
      isOpen.store(false, ordering: .relaxed)
      throw .device(
        name: name, reason: "the server has no free ports; \(format.outputs + format.inputs) are needed")
    }
    listen()
  }

  deinit {
    close()
    outputBuffers.deallocate()
    inputBuffers.deallocate()
  }

  /// The client's name on the server: the requested name, plus a number if another client already has that name.
  var clientName: String { library.clientName(client).map { String(cString: $0) } ?? name }

  var outputLatencyFrames: Int {
    latency.load(ordering: .relaxed) + max(0, period.load(ordering: .relaxed) - format.blockFrames)
  }

  var inputTime: HostTime? { feed.inputTime }

  var ownThread: DeviceThread { library.isRealTime(client) != 0 ? .realTime : .ordinary }

  func start() throws { try start { _ in } }

  func start(turn: @escaping (AudioDeviceState) -> Void) throws {
    self.turn = turn
    feed.begin()
    nextFrames = nil
    hasOpened = false
    guard library.activate(client) == 0 else { throw AudioError.noJACKServer(name: name) }
    connect()
    readLatency()
  }

  func wait() -> AudioDeviceState {
    if !hasOpened {
      // Not in `start`: until this call, the engine's thread may still report that the device took over. And the first
      // block's time needs the latency of the connections.
      hasOpened = true
      knownXruns = xruns.load(ordering: .relaxed)
      gate.store(Gate.open, ordering: .releasing)
    }
    wake.wait(for: Self.checkInterval)
    guard isGone.load(ordering: .acquiring) else {
      // Not in the callback, which must not change connections. This thread runs no cycle, so it may allocate.
      if portsChanged.exchange(false, ordering: .acquiringAndReleasing) { reconnect() }
      return .waiting
    }
    shut()
    return .lost
  }

  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool { feed.read(block) }
  func write(_ block: UnsafeBufferPointer<Float>) -> Bool { feed.write(block) }

  func stop() {
    shut()
    if !isGone.load(ordering: .acquiring), isOpen.load(ordering: .acquiring) {
      _ = library.deactivate(client)
    }
  }

  func close() {
    guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
    shut()
    _ = library.close(client)
  }

  /// Sets `gate` to `closed`, and returns when the server's thread no longer runs the engine.
  private func shut() {
    while gate.load(ordering: .acquiring) != Gate.closed {
      _ = gate.compareExchange(expected: Gate.open, desired: Gate.closed, ordering: .acquiringAndReleasing)
      sched_yield()
    }
  }
}

// MARK: - Callbacks of the server

extension JACKDevice {
  private func listen() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    _ = library.setProcess(
      client,
      { frames, context in
        guard let context else { return 0 }
        Unmanaged<JACKDevice>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.process(Int(frames)) }
        return 0
      }, me)
    library.onShutdown(
      client,
      { context in
        guard let context else { return }
        Unmanaged<JACKDevice>.fromOpaque(context)._withUnsafeGuaranteedRef { device in
          device.isGone.store(true, ordering: .releasing)
          device.wake.raise()
        }
      }, me)
    _ = library.setXrun(
      client,
      { context in
        guard let context else { return 0 }
        Unmanaged<JACKDevice>.fromOpaque(context)._withUnsafeGuaranteedRef {
          _ = $0.xruns.wrappingAdd(1, ordering: .relaxed)
        }
        return 0
      }, me)
    _ = library.setPorts(
      client,
      { _, _, context in
        guard let context else { return }
        Unmanaged<JACKDevice>.fromOpaque(context)._withUnsafeGuaranteedRef { device in
          device.portsChanged.store(true, ordering: .releasing)
          device.wake.raise()
        }
      }, me)
    _ = library.setLatency(
      client,
      { _, context in
        guard let context else { return }
        Unmanaged<JACKDevice>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.readLatency() }
      }, me)
  }

  /// Exchanges the samples of one period with the engine, on the server's thread; outputs silence unless `gate` is
  /// open.
  private func process(_ frames: Int) {
    for index in 0..<outputs.count {
      outputBuffers[index] = library.buffer(outputs[index], UInt32(frames))?.assumingMemoryBound(
        to: Float.self)
    }
    guard
      gate.compareExchange(expected: Gate.open, desired: Gate.busy, ordering: .acquiringAndReleasing)
        .exchanged
    else {
      for index in 0..<outputs.count { outputBuffers[index]?.update(repeating: 0, count: frames) }
      return
    }
    momu_flush_denormals()
    for index in 0..<inputs.count {
      inputBuffers[index] = library.buffer(inputs[index], UInt32(frames))?.assumingMemoryBound(to: Float.self)
    }
    period.store(frames, ordering: .relaxed)
    var times = JACKLibrary.CycleTimes()
    let isKnown =
      library.cycleTimes(client, &times.frames, &times.microseconds, &times.next, &times.period) == 0
    notifyXruns(times, frames)
    let time =
      isKnown ? hostTime(ofServer: times.microseconds) : clock.now
    feed.exchange(
      frames: frames, at: time, latency: latency.load(ordering: .relaxed),
      inputLatency: inputLatency.load(ordering: .relaxed), inputs: inputBuffers, outputs: outputBuffers,
      turn: turn)
    gate.store(Gate.open, ordering: .releasing)
  }

  /// Converts a time of the server's clock, in microseconds, to host time.
  ///
  /// JACK does not specify the clock that it uses. So the function reads JACK's present time together with the host
  /// clock.
  private func hostTime(ofServer microseconds: UInt64) -> HostTime {
    let before = clock.now.nanoseconds
    let server = library.time()
    let after = clock.now.nanoseconds
    let passed = Int64(bitPattern: server &- microseconds)
    return HostTime(nanoseconds: before &+ (after &- before) / 2 &- passed &* 1000)
  }

  private func notifyXruns(_ times: JACKLibrary.CycleTimes, _ frames: Int) {
    let lost = nextFrames.map { Int(Int32(bitPattern: times.frames &- $0)) } ?? 0
    nextFrames = times.frames &+ UInt32(frames)
    let now = xruns.load(ordering: .relaxed)
    guard now != knownXruns else { return }
    knownXruns = now
    turn(.recovered(lostFrames: max(0, lost)))
  }

  private func readLatency() {
    var range = JACKLibrary.LatencyRange()
    if let port = outputs.first {
      library.latencyRange(port, JACKLibrary.playbackLatency, &range)
      latency.store(Int(range.most), ordering: .relaxed)
    }
    if let port = inputs.first {
      library.latencyRange(port, JACKLibrary.captureLatency, &range)
      inputLatency.store(Int(range.most), ordering: .relaxed)
    }
  }
}
