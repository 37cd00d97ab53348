import MIDICore
import MoCore
import MoMIDI
import MoRuntime

/// A sequencer without a kernel: a test puts in arriving events, and sent events are kept.
final class FakeSequencer: MIDISequencer, @unchecked Sendable {
  // Unchecked: changing state is guarded.
  let name = "MoMu test"
  let address = MIDIAddress(128, 0)
  let descriptor: Int32?
  let bytesPerSecond: Double?
  private let signal = WakeEvent()
  private let state = Locked(State())

  enum Arrival {
    case message(MIDIMessage, MIDIAddress, HostTime)
    case sysEx([UInt8], MIDIAddress, HostTime)
    case event(MIDISequencerEvent)
  }

  struct Sent: Equatable {
    var message: MIDIMessage
    var time: HostTime
  }

  private struct State {
    var ports: [MIDIPort] = []
    var arrivals: [Arrival] = []
    var readFrom: [MIDIAddress] = []
    var sentTo: [MIDIAddress] = []
    var sent: [Sent] = []
    var pieces: [([UInt8], HostTime)] = []
    var isFull = false
    var isClosed = false
  }

  init(_ ports: [MIDIPort] = [], bytesPerSecond: Double? = 3125) {
    descriptor = signal.descriptor
    self.bytesPerSecond = bytesPerSecond
    state.withLock { $0.ports = ports }
  }

  var sent: [MIDIMessage] { state.withLock { $0.sent.map(\.message) } }
  var sentWithTimes: [Sent] { state.withLock { $0.sent } }
  var pieces: [([UInt8], HostTime)] { state.withLock { $0.pieces } }
  var readFrom: [MIDIAddress] { state.withLock { $0.readFrom } }
  var sentTo: [MIDIAddress] { state.withLock { $0.sentTo } }
  var isClosed: Bool { state.withLock { $0.isClosed } }
  /// Whether an arrival waits to be received.
  var hasArrivals: Bool { state.withLock { !$0.arrivals.isEmpty } }
  /// Whether one of several receivers has a full queue; the others still get each message.
  var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  func arrive(_ arrival: Arrival) {
    state.withLock { $0.arrivals.append(arrival) }
    signal.raise()
  }

  func arrive(_ message: MIDIMessage, from address: MIDIAddress, at seconds: Double = 0) {
    arrive(.message(message, address, HostTime(seconds: seconds)))
  }

  /// Plugs in a device.
  func plug(_ port: MIDIPort) {
    state.withLock { $0.ports.append(port) }
    arrive(.event(.portsChanged))
  }

  /// Unplugs a device: the kernel ends connections first.
  func unplug(_ address: MIDIAddress) {
    let wasRead = state.withLock { state in
      state.ports.removeAll { $0.address == address }
      state.sentTo.removeAll { $0 == address }
      let wasRead = state.readFrom.contains(address)
      state.readFrom.removeAll { $0 == address }
      return wasRead
    }
    if wasRead { arrive(.event(.disconnected(address))) }
    arrive(.event(.portGone(address)))
  }

  /// Unplugs a device and plugs it in again while the program does not read, so that only an overrun arrives.
  func replugUnseen(_ address: MIDIAddress) {
    state.withLock { state in
      state.readFrom.removeAll { $0 == address }
      state.sentTo.removeAll { $0 == address }
    }
    arrive(.event(.overrun))
  }

  func ports() -> [MIDIPort] { state.withLock { $0.ports } }

  func connect(from port: MIDIAddress) throws(MIDIError) {
    state.withLock { if !$0.readFrom.contains(port) { $0.readFrom.append(port) } }
  }

  func connect(to port: MIDIAddress) throws(MIDIError) {
    state.withLock { if !$0.sentTo.contains(port) { $0.sentTo.append(port) } }
  }

  func receive(_ emit: (MIDISequencerEvent) -> Void) {
    signal.lower()
    let arrivals = state.withLock { state in
      defer { state.arrivals = [] }
      return state.arrivals
    }
    for arrival in arrivals {
      switch arrival {
      case .message(let message, let address, let time): emit(.message(message, from: address, at: time))
      case .sysEx(let bytes, let address, let time):
        bytes.withUnsafeBufferPointer { emit(.sysEx($0, from: address, at: time)) }
      case .event(let event): emit(event)
      }
    }
  }

  func send(_ message: MIDIMessage, at time: HostTime) -> Bool {
    state.withLock { state in
      state.sent.append(Sent(message: message, time: time))
      return !state.isFull
    }
  }

  func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool {
    state.withLock { state in
      state.pieces.append((Array(piece), time))
      return !state.isFull
    }
  }

  func close(at time: HostTime) { state.withLock { $0.isClosed = true } }
}

/// Collects received values for a later check.
final class Collected<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])
  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

/// A pump that a test drives, with its events and messages.
struct Harness {
  let sequencer: FakeSequencer
  let pump: MIDIPump
  let heard = Collected<MIDIEvent>()
  let dumps = Collected<MIDISysEx>()
  let portEvents = Collected<MIDIPortEvent>()
  let events = MIDICallbacks<MIDIEvent>()
  let sysEx = MIDICallbacks<MIDISysEx>()
  let clock = ManualClock()

  init(_ ports: [MIDIPort] = [], channel: MIDIChannel? = nil) {
    sequencer = FakeSequencer(ports)
    pump = MIDIPump(sequencer, MIDIReceiver(channel: channel, events, sysEx), clock: clock) {
      [portEvents] in portEvents.add($0)
    }
    _ = events.add { [heard] event in heard.add(copy event) }
    _ = sysEx.add { [dumps] dump in dumps.add(copy dump) }
  }

  func run(to seconds: Double) {
    let end = HostTime(seconds: seconds)
    while let next = pump.nextTime, next <= end {
      clock.advance(to: next)
      pump.service(until: next)
    }
    clock.advance(to: end)
    pump.service(until: end)
  }

  var messages: [MIDIMessage] { heard.all.map(\.message) }
}

extension MIDIPort {
  static let nano = MIDIPort(MIDIAddress(24, 0), client: "nanoKEY2", name: "nanoKEY2 MIDI 1")
  static let launch = MIDIPort(MIDIAddress(28, 0), client: "Launchkey Mini", name: "Launchkey Mini MIDI 1")
  static let synth = MIDIPort(
    MIDIAddress(129, 0), client: "FLUID Synth", name: "FLUID Synth port", isDevice: false, sends: false)
}

/// Returns a run in counted time.
func offlineRun(_ set: (inout RunOptions) -> Void = { _ in }) -> Run {
  var options = RunOptions()
  options.offline = true
  options.quiet = true
  set(&options)
  return Run(options)
}

/// Returns a run in real time.
func liveRun(_ set: (inout RunOptions) -> Void = { _ in }) -> Run {
  var options = RunOptions()
  options.quiet = true
  set(&options)
  return Run(options)
}

/// Advances a run's counted time, from one due time to the next.
func play(_ run: Run, seconds: Double) {
  let end = HostTime(seconds: seconds)
  while let next = run.input.nextTime, next <= end { run.input.service(until: next) }
}
