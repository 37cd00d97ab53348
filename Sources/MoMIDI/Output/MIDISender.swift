import MIDICore
import MoCore
import MoRuntime
import Synchronization

/// Sends messages at their times, and tracks the notes that sound at the receiver.
///
/// A SysEx message is sent in pieces, at the speed that the destination accepts. Until it is complete, all other
/// messages wait, except real-time messages.
///
/// - Thread: `add` and `addSysEx` from any; the rest from one, the thread that sends.
/// - Real-time safe: `add` is.
package final class MIDISender: @unchecked Sendable {
  // Unchecked: all but the inbox, the SysEx queue, the counts and `isBusy` belongs to the sending thread.
  private let destination: any MIDIDestination
  private let inbox = EventInbox<Order>(capacity: 4096)
  /// Half of the places are only for releases, since a note whose release is lost would sound until the end.
  private var waiting = TimeHeap<Order>(capacity: 2 * MIDISender.room)
  private var urgent = TimeHeap<Order>(capacity: 1024)
  /// The ends of the sounding notes with a length; there is room for an end of each key of each channel.
  private var ends = MIDINoteEnds(capacity: 16 * 128)
  private let sysEx = Locked<[Int32: [UInt8]]>([:])
  private let sysExCount = Atomic<Int32>(0)
  private var dump: Dump?
  private var held = MIDIHeldNotes()
  /// The number of messages that were dropped because a queue of the sender had no room.
  private let droppedCount = Atomic<Int>(0)
  /// The number of messages that a receiver has lost because its own queue was full.
  private let missedCount = Atomic<Int>(0)
  /// Whether messages wait to be sent.
  let isBusy = Atomic<Bool>(false)

  /// An instruction to the sender, which waits in a queue until its time.
  package enum Order: Sendable, BitwiseCopyable {
    /// A single message.
    case message(MIDIMessage)
    /// A note with its end: channel, key, velocity and length.
    case note(MIDIChannel, MIDIUInt7, MIDIUInt7, nanoseconds: Int64)
    /// The SysEx message that has this number in the queue of SysEx messages.
    case sysEx(Int32)
    /// A release of all notes and pedals on a channel; nil for all channels.
    case release(MIDIChannel?)

    /// Whether the order only releases notes or pedals.
    var isRelease: Bool {
      switch self {
      case .message(.noteOff), .message(.noteOn(_, _, velocity: 0)), .release: true
      case .message(.control(_, let number, let value)):
        switch number.value {
        case 120, 121, 123...127: true
        // The pedals.
        case 64...69: value.value < 64
        default: false
        }
      default: false
      }
    }
  }

  /// A SysEx message that is being sent.
  private struct Dump {
    var bytes: [UInt8]
    var sent = 0
    var next: HostTime
  }

  /// The number of orders that may wait, apart from releases.
  private static let room = 16_384
  /// The maximum size of all SysEx messages that wait in the queue, in bytes: 4 MiB.
  static let longestQueue = 4 * 1_048_576
  /// The maximum size of a piece of a SysEx message, in bytes: the capacity of an event of the kernel's MIDI driver.
  static let pieceBytes = 256
  /// The port of all sent notes in `ends`, which separates the notes by their ports.
  private static let port = MIDIAddress(0, 0)

  package init(_ destination: any MIDIDestination) { self.destination = destination }

  /// The number of messages that were dropped because a queue of the sender had no room.
  package var dropped: Int { inbox.dropped + droppedCount.load(ordering: .relaxed) }

  /// The number of messages that a receiver has lost because its own queue was full.
  package var missed: Int { missedCount.load(ordering: .relaxed) }

  /// Queues an order until its time; returns false if the queue is full.
  package func add(_ order: Order, at time: HostTime) -> Bool {
    isBusy.store(true, ordering: .releasing)
    return inbox.add(order, at: time)
  }

  /// Queues a SysEx message until its time; returns false if the queue is full.
  ///
  /// - Parameter bytes: the message, from F0 to F7.
  package func addSysEx(_ bytes: [UInt8], at time: HostTime) -> Bool {
    let number = sysExCount.wrappingAdd(1, ordering: .relaxed).newValue
    let hasRoom = sysEx.withLock { queue in
      guard queue.values.reduce(bytes.count, { $0 + $1.count }) <= Self.longestQueue else { return false }
      queue[number] = bytes
      return true
    }
    guard hasRoom else { return false }
    if add(.sysEx(number), at: time) { return true }
    _ = sysEx.withLock { $0.removeValue(forKey: number) }
    return false
  }

  /// The time of the next message to send, or of the destination's own work; nil for none.
  package var nextTime: HostTime? {
    isBusy.store(false, ordering: .releasing)
    let next = findNext()
    if next != nil { isBusy.store(true, ordering: .releasing) }
    guard let own = destination.nextTime else { return next }
    return next.map { min($0, own) } ?? own
  }

  /// Whether messages wait to be sent; a destination's own work does not count.
  var hasWaiting: Bool { findNext() != nil }

  private func findNext() -> HostTime? {
    receive()
    let never = HostTime.distantFuture
    let usual = dump?.next ?? min(waiting.nextTime ?? never, ends.nextTime ?? never)
    let next = min(usual, urgent.nextTime ?? never)
    return next < never ? next : nil
  }

  /// Sends the messages that are due, and lets the destination do its own work that is due.
  package func service(until now: HostTime) {
    sendDue(until: now)
    destination.service(until: now)
  }

  private func sendDue(until now: HostTime) {
    receive()
    while let order = urgent.removeFirst(dueBy: now) {
      // Song position is no real-time message, but gear must know it before it continues.
      if case .message(.continue) = order.element, dump == nil {
        sendWaiting(until: order.time, now)
      }
      carryOut(order.element, at: order.time)
    }
    sendWaiting(until: now, now)
  }

  /// Sends all messages that are due at `moment`, except real-time messages, which have a queue of their own.
  ///
  /// A SysEx message is sent in pieces. If a piece is not due at `now`, the function returns, and the later messages
  /// wait.
  private func sendWaiting(until moment: HostTime, _ now: HostTime) {
    while true {
      if dump != nil {
        guard sendDump(until: now) else { return }
      }
      // A note's end comes before a message of the same time, which may be the next note of the key.
      if let end = ends.removeFirst(dueBy: min(moment, waiting.nextTime ?? moment)) {
        send(.noteOff(end.note.channel, end.note.key, velocity: end.note.offVelocity), at: end.time)
      } else if let order = waiting.removeFirst(dueBy: moment) {
        carryOut(order.element, at: order.time)
      } else {
        return
      }
    }
  }

  /// Sends the messages that are due, then releases all sounding notes and closes the destination.
  ///
  /// An incomplete SysEx message is cut off. Messages that are not due yet are dropped.
  package func close(at now: HostTime) {
    sendDue(until: now)
    if dump != nil { cutDump(at: now) }
    waiting.removeAll { _ in true }
    urgent.removeAll { _ in true }
    release(nil, at: now)
    destination.close(at: now)
  }

  /// Deletes the list of sounding notes, so that `close` does not release these notes.
  package func forget() { held = MIDIHeldNotes() }

  private func receive() {
    while let event = inbox.receive() {
      let order = event.element
      let isUrgent = if case .message(let message) = order { message.isRealTime } else { false }
      let isIn =
        isUrgent
        ? urgent.add(order, at: event.time)
        : (order.isRelease || waiting.count < Self.room) && waiting.add(order, at: event.time)
      if !isIn { drop(order) }
    }
  }

  /// Counts an order that finds no room in a queue, and logs the first one.
  private func drop(_ order: Order) {
    if case .sysEx(let number) = order { sysEx.withLock { _ = $0.removeValue(forKey: number) } }
    guard droppedCount.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return }
    MoLog.log(.warning, "MIDI messages are lost, because too many wait to be sent: send fewer at a time")
  }

  private func carryOut(_ order: Order, at time: HostTime) {
    switch order {
    case .message(let message): send(message, at: time)
    case .note(let channel, let key, let velocity, let nanoseconds):
      send(.noteOn(channel, key, velocity: velocity), at: time)
      let note = MIDITimedNote(channel, key, velocity: velocity, offVelocity: 64, milliseconds: 0)
      _ = ends.add(
        .init(note: note, address: Self.port, time: time.advanced(byNanoseconds: nanoseconds)))
    case .sysEx(let number):
      guard let bytes = sysEx.withLock({ $0.removeValue(forKey: number) }) else { return }
      dump = Dump(bytes: bytes, next: time)
    case .release(let channel): release(channel, at: time)
    }
  }

  private func send(_ message: MIDIMessage, at time: HostTime) {
    pass(message, at: time)
    held.follow(message)
    ends.follow(message, from: Self.port)
  }

  /// Passes a message to the destination once, even if a receiver has lost it: the other receivers have got it.
  private func pass(_ message: MIDIMessage, at time: HostTime) {
    if !destination.send(message, at: time) { countMissed() }
  }

  /// Counts a message that a receiver has lost, and logs the first one.
  private func countMissed() {
    guard missedCount.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return }
    MoLog.log(
      .warning,
      "a program that is connected to \"\(destination.name)\" does not read its MIDI messages, and loses "
        + "some: end or continue that program (aconnect -l lists the connected programs)")
  }

  /// Sends the pieces of the current SysEx message that are due; returns true once the message is complete.
  private func sendDump(until now: HostTime) -> Bool {
    while let (bytes, sent, next) = dump.map({ ($0.bytes, $0.sent, $0.next) }), next <= now {
      let piece = destination.bytesPerSecond == nil ? bytes.count : Self.pieceBytes
      let count = min(piece, bytes.count - sent)
      let isTaken = bytes.withUnsafeBufferPointer { bytes in
        destination.sendSysEx(UnsafeBufferPointer(rebasing: bytes[sent..<sent + count]), at: next)
      }
      if !isTaken { countMissed() }
      guard sent + count < bytes.count else {
        dump = nil
        return true
      }
      dump?.sent += count
      let pause = destination.bytesPerSecond.map { Double(count) / $0 } ?? 0
      dump?.next = max(next, now + .seconds(-pause)).advanced(bySeconds: pause)
    }
    return dump == nil
  }

  /// Ends an incomplete SysEx message, with F7 if a piece has been sent.
  private func cutDump(at time: HostTime) {
    if let dump, dump.sent > 0 {
      let end: [UInt8] = [0xF7]
      _ = end.withUnsafeBufferPointer { destination.sendSysEx($0, at: time) }
    }
    dump = nil
  }

  private func release(_ channel: MIDIChannel?, at time: HostTime) {
    ends.follow(channel.map { .control($0, 123, 0) } ?? .reset, from: Self.port)
    held.release(channel) { pass($0, at: time) }
  }
}
