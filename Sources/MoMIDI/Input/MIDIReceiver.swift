import MIDICore
import MoCore
import Synchronization

/// Tracks the held notes of each port, and passes each message to the program's callbacks.
///
/// - Thread: one owner, the thread that reads the ports. Callbacks may be added from any thread.
/// - Real-time safe: `handle`, unless messages are recorded.
package final class MIDIReceiver: @unchecked Sendable {
  // Unchecked: `ports` belongs to the reading thread.
  private let events: MIDICallbacks<MIDIEvent>
  private let sysEx: MIDICallbacks<MIDISysEx>
  private var ports: [Port] = []
  private let channel: MIDIChannel?
  private let dropped = Atomic<Int>(0)
  private let tape = Locked<Recording?>(nil)
  private let isRecording = Atomic<Bool>(false)
  /// Whether messages come with the time at which they must be heard, and not the time of their arrival.
  ///
  /// This property is set before the first message.
  var isScheduled = false

  private struct Recording: Sendable {
    var body: @Sendable (MIDITapeMessage, HostTime) -> Void
  }

  private struct Port {
    var name: String
    var isOpen = true
    var held = MIDIHeldNotes()
    var sysEx: MIDISysExJoiner
  }

  /// The most ports that are tracked; a further port takes the entry of a closed port, or else shares the last entry.
  package static let capacity = 64

  /// - Parameter channel: the only channel that is read; nil for all.
  package init(
    channel: MIDIChannel? = nil, _ events: MIDICallbacks<MIDIEvent>, _ sysEx: MIDICallbacks<MIDISysEx>
  ) {
    (self.channel, self.events, self.sysEx) = (channel, events, sysEx)
    ports.reserveCapacity(Self.capacity)
  }

  /// Adds a recorder: from now on, `body` gets each message, too, together with its time.
  func record(_ body: @escaping @Sendable (MIDITapeMessage, HostTime) -> Void) {
    tape.withLock { $0 = Recording(body: body) }
    isRecording.store(true, ordering: .releasing)
  }

  /// The number of SysEx messages that were dropped: cut off, too long, or without a beginning.
  var droppedSysEx: Int { dropped.load(ordering: .relaxed) }

  /// Opens a port and returns its number; a closed port of the same name gets its earlier number again.
  func open(_ name: String) -> Int {
    if let index = ports.firstIndex(where: { $0.name == name && !$0.isOpen }) {
      ports[index].isOpen = true
      return index
    }
    if ports.count < Self.capacity {
      ports.append(Port(name: name, sysEx: MIDISysExJoiner()))
      return ports.count - 1
    }
    let index = ports.firstIndex { !$0.isOpen } ?? Self.capacity - 1
    ports[index].name = name
    ports[index].isOpen = true
    return index
  }

  /// Updates the held notes of a port by a message, and passes the message to the callbacks.
  ///
  /// - Parameter port: the port's number, from `open`.
  func handle(_ message: MIDIMessage, from port: Int, at time: HostTime) {
    var message = message
    if case .noteOn(let channel, let key, let velocity) = message, velocity == 0 {
      message = .noteOff(channel, key, velocity: 64)
    }
    if let own = message.channel, let channel, own != channel { return }
    ports[port].held.follow(message)
    notify(message, from: port, name: ports[port].name, at: time)
  }

  private func notify(_ message: MIDIMessage, from port: Int, name: String, at time: HostTime) {
    if isRecording.load(ordering: .acquiring) {
      tape.withLock { $0 }?.body(.message(message, port: name), time)
    }
    var event = MIDIEvent(message, at: time, port: name)
    (event.isScheduled, event.portNumber) = (isScheduled, port)
    events.call(event)
  }

  /// Adds a piece of a SysEx message, and passes the message to the callbacks once it is complete.
  func takeSysEx(_ piece: UnsafeBufferPointer<UInt8>, from port: Int, at time: HostTime) {
    let outcome = ports[port].sysEx.read(piece)
    if outcome.dropped > 0 { dropped.wrappingAdd(outcome.dropped, ordering: .relaxed) }
    guard outcome.isComplete else { return }
    if isRecording.load(ordering: .acquiring) {
      tape.withLock { $0 }?.body(.sysEx(ports[port].sysEx.bytes, port: ports[port].name), time)
    }
    sysEx.call(MIDISysEx(ports[port].sysEx.bytes, at: time, port: ports[port].name))
  }

  /// Releases the held notes and pedals of a port: calls the callbacks with the releasing messages, such as note-offs.
  ///
  /// An incomplete SysEx message of the port is dropped.
  ///
  /// - Parameter closes: whether the port is also closed.
  func release(port: Int, at time: HostTime, closes: Bool) {
    ports[port].sysEx.restart()
    let name = ports[port].name
    // Removed before the calls, since a callback may release it again.
    var held = ports[port].held
    ports[port].held = MIDIHeldNotes()
    if closes { ports[port].isOpen = false }
    held.release { notify($0, from: port, name: name, at: time) }
  }

  /// Releases the held notes and pedals of all ports: calls the callbacks with the releasing messages, such as
  /// note-offs.
  ///
  /// - Parameter closes: whether the ports are also closed.
  func releaseAll(at time: HostTime, closes: Bool = false) {
    for port in ports.indices { release(port: port, at: time, closes: closes) }
  }
}

/// Joins the pieces of a SysEx message until F7, the byte that ends the message.
///
/// - Thread: one owner.
/// - Real-time safe: yes, as long as no callback keeps `bytes`.
package struct MIDISysExJoiner: Sendable {
  /// The message, from F0 to F7, once it is complete.
  package private(set) var bytes: [UInt8] = []
  private var isOpen = false
  private var isTooLong = false

  /// The most bytes of a message: 128 KiB.
  package static let limit = 131_072

  package init() { bytes.reserveCapacity(Self.limit) }

  /// The result of reading a piece.
  package struct Outcome: Equatable {
    /// Whether the piece has completed a message, which is now in `bytes`.
    var isComplete = false
    /// The number of messages that were cut off, were too long, or had no beginning.
    var dropped = 0

    package init(isComplete: Bool = false, dropped: Int = 0) {
      (self.isComplete, self.dropped) = (isComplete, dropped)
    }
  }

  /// Reads a piece, which may complete at most one message.
  package mutating func read(_ piece: UnsafeBufferPointer<UInt8>) -> Outcome {
    var outcome = Outcome()
    for byte in piece {
      switch byte {
      case 0xF0:
        if isOpen { outcome.dropped += 1 }
        begin()
        bytes.append(byte)
      case 0xF7 where isOpen:
        isOpen = false
        if isTooLong {
          outcome.dropped += 1
        } else {
          bytes.append(byte)
          outcome.isComplete = true
        }
      case 0..<0x80 where isOpen:
        if bytes.count < Self.limit - 1 { bytes.append(byte) } else { isTooLong = true }
      case 0xF8...0xFF: break
      default:
        if isOpen || byte >= 0x80 { outcome.dropped += 1 }
        restart()
      }
    }
    return outcome
  }

  /// Forgets an incomplete message.
  mutating func restart() { (isOpen, isTooLong) = (false, false) }

  private mutating func begin() {
    (isOpen, isTooLong) = (true, false)
    bytes.removeAll(keepingCapacity: true)
    // A callback kept the last message: its buffer is no longer ours.
    if bytes.capacity < Self.limit { bytes.reserveCapacity(Self.limit) }
  }
}
