import Glibc
import MoCore
import MoOSC

/// A message that waits: its bytes and its properties.
struct QueuedMessage {
  var route: NetAddressEntry?
  var peer: NetPeer
  var sender = 0
  var arrival = HostTime.zero
  var time = HostTime.zero
  var timeTag: OSCTimeTag?
  /// Whether the message is to be delivered before its time tag, to the callbacks that receive future messages on
  /// arrival.
  var isAhead = false
  /// Whether the message waits for its time tag, and the callbacks that receive future messages on arrival already have
  /// it.
  var isOnTimeOnly = false
  var length = 0
  var bytes: UnsafeMutableRawPointer
  /// The capacity of `bytes`, in bytes; more than 256 only if the slot has its own memory outside the common memory.
  var room: Int
  var next: Int32 = -1
}

/// The messages that wait for a callback or for their time tags, each in a slot: a piece of memory that is reused.
///
/// Messages for callbacks are first in, first out. The lock of `NetReceiver` guards the queue. The memory of all slots
/// is allocated once, and the kernel provides a page only when the page is used. The slots are
/// reused, so that neither a flood nor a year of operation makes the memory grow.
final class NetMessageQueue {
  /// The largest number of waiting messages; at most `mostFuture` of them may wait for their time tags.
  static let capacity = 8192
  /// The number of messages at addresses with the policy `latest` that are still accepted when `capacity` messages
  /// wait.
  private static let mostLatestBeyond = 1024
  static let mostFuture = 4096
  /// The largest number of bytes that messages above 256 bytes may use together: 8 MiB.
  static let mostLarge = 8 << 20
  /// The part of `mostLarge` that messages may use while they wait for their time tags.
  ///
  /// The rest stays free for messages that are due, so that a sender of future messages does not stop the others.
  static let mostLargeFuture = mostLarge / 2
  /// The largest size of a message, in bytes, that fits the memory of a slot; a larger message has its own memory.
  private static let small = 256

  private let slab: UnsafeMutableRawPointer
  private let slots: UnsafeMutablePointer<QueuedMessage>
  private var made: Int32 = 0
  private var free: Int32 = -1
  /// The two queues without time tags: first `Queue.normal`, then `Queue.latest`, in which only the newest message of
  /// each address waits.
  private var lines: InlineArray<2, Line> = [Line(), Line()]
  /// The index in `lines` of the queue that the last call of `popFirst` tried first; the next call begins with the
  /// other queue.
  private var turn = 0
  private var large = 0
  /// The part of `large` that the messages in `future` use.
  private var largeFuture = 0
  private var future: [Due] = []
  /// The due time of the first message in `future`; stored separately, since it is read for every delivered message.
  private(set) var nextTime: HostTime?
  private var sequence: UInt64 = 0
  /// The number of waiting messages of all kinds.
  private(set) var count = 0

  /// The queue in which a message waits.
  enum Queue {
    /// The queue for most messages.
    case normal
    /// The short queue for addresses with the policy `latest`.
    case latest
    /// The heap of the messages that wait for their time tags.
    case future
  }

  /// A queue of slots, first in first out.
  private struct Line {
    var head: Int32 = -1
    var tail: Int32 = -1
  }

  private struct Due {
    var time: HostTime
    var sequence: UInt64
    var slot: Int32

    /// Returns whether `left` is due before `right`; messages for the same time keep the order of their arrival.
    static func < (left: Due, right: Due) -> Bool {
      left.time == right.time ? left.sequence < right.sequence : left.time < right.time
    }
  }

  init() {
    slab = .allocate(byteCount: (Self.capacity + Self.mostLatestBeyond) * Self.small, alignment: 16)
    slots = .allocate(capacity: Self.capacity + Self.mostLatestBeyond)
  }

  deinit {
    removeAll { _ in }
    slots.deinitialize(count: Int(made))
    slots.deallocate()
    slab.deallocate()
  }

  subscript(slot: Int32) -> QueuedMessage {
    unsafeAddress { UnsafePointer(slots + Int(slot)) }
    unsafeMutableAddress { slots + Int(slot) }
  }

  /// Copies a message into the slot `used`, in place of an older message, or into a new slot at the end of a queue.
  ///
  /// - Parameters:
  ///   - time: the time at which the message is due.
  ///   - used: the slot of the older message, which keeps its place in its queue; nil for a new slot.
  ///   - queue: the queue for a new slot.
  /// - Returns: the slot, whose other properties the caller must set; nil if the limits leave no room for the message.
  func store(
    _ bytes: UnsafeRawBufferPointer, from peer: NetPeer, at time: HostTime, in used: Int32?, to queue: Queue
  ) -> Int32? {
    var slot = free
    if let used {
      slot = used
    } else {
      guard count < Self.capacity + (queue == .latest ? Self.mostLatestBeyond : 0) else { return nil }
      if queue == .future, future.count >= Self.mostFuture { return nil }
      if slot < 0 {
        slot = made
        (slots + Int(slot)).initialize(
          to: QueuedMessage(peer: peer, bytes: slab + Int(slot) * Self.small, room: Self.small))
        slots[Int(slot)].next = -1
        made += 1
        free = slot
      }
    }
    let place = slots + Int(slot)
    if bytes.count > place.pointee.room {
      let room = (bytes.count + 1023) & ~1023
      guard large + room <= Self.mostLarge else { return nil }
      if queue == .future, largeFuture + room > Self.mostLargeFuture { return nil }
      shrink(slot)
      place.pointee.bytes = .allocate(byteCount: room, alignment: 16)
      place.pointee.room = room
      large += room
    }
    if let start = bytes.baseAddress { memcpy(place.pointee.bytes, start, bytes.count) }
    place.pointee.length = bytes.count
    place.pointee.peer = peer
    place.pointee.time = time
    guard used == nil else { return slot }
    free = place.pointee.next
    place.pointee.next = -1
    count += 1
    if queue == .future {
      // The heap has room, as checked above.
      _ = wait(slot)
      return slot
    }
    let line = queue == .latest ? 1 : 0
    if lines[line].head < 0 { lines[line].head = slot } else { slots[Int(lines[line].tail)].next = slot }
    lines[line].tail = slot
    return slot
  }

  /// Makes a slot free for another message, and frees memory that the message had of its own.
  func release(_ slot: Int32) {
    shrink(slot)
    slots[Int(slot)].route = nil
    slots[Int(slot)].next = free
    free = slot
    count -= 1
  }

  private func shrink(_ slot: Int32) {
    let place = slots + Int(slot)
    guard place.pointee.room > Self.small else { return }
    large -= place.pointee.room
    place.pointee.bytes.deallocate()
    place.pointee.bytes = slab + Int(slot) * Self.small
    place.pointee.room = Self.small
  }

  // MARK: the queues

  /// Removes the next message from the queues, and returns its slot; nil if both queues are empty.
  ///
  /// There are two queues: the first for callbacks that receive only the newest value of an address (`latest`), the
  /// second for all other messages. Each call takes from the queue that the last call did not take from. So the value
  /// of a fader does not wait until all waiting notes are delivered.
  func popFirst() -> Int32? {
    turn = 1 - turn
    let line = lines[turn].head >= 0 ? turn : 1 - turn
    let slot = lines[line].head
    guard slot >= 0 else { return nil }
    lines[line].head = slots[Int(slot)].next
    return slot
  }

  /// Whether so many messages wait that the messages of another read from a TCP connection may not fit into the queue.
  ///
  /// Messages that wait for their time tags do not count: they can wait for a minute, and any sender can send them.
  var isBusy: Bool { count - future.count > 512 || large - largeFuture > Self.mostLarge / 4 }

  var isLineEmpty: Bool { lines[0].head < 0 && lines[1].head < 0 }

  // MARK: the future, a heap

  /// The bytes that the message in a slot uses outside the common memory.
  private func ownRoom(_ slot: Int32) -> Int {
    slots[Int(slot)].room > Self.small ? slots[Int(slot)].room : 0
  }

  /// Makes the message in a slot wait for its time tag; returns false if `mostFuture` messages already wait, or if they
  /// use too much memory.
  func wait(_ slot: Int32) -> Bool {
    let room = ownRoom(slot)
    guard future.count < Self.mostFuture, room == 0 || largeFuture + room <= Self.mostLargeFuture else {
      return false
    }
    largeFuture += room
    future.append(Due(time: slots[Int(slot)].time, sequence: sequence, slot: slot))
    sequence &+= 1
    defer { nextTime = future[0].time }
    var child = future.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard future[child] < future[parent] else { break }
      future.swapAt(child, parent)
      child = parent
    }
    return true
  }

  /// Removes and returns the slot of the earliest message whose time tag is not after `now`; nil if there is none.
  func popDue(by now: HostTime) -> Int32? {
    guard let first = future.first, first.time <= now else { return nil }
    largeFuture -= ownRoom(first.slot)
    let last = future.removeLast()
    defer { nextTime = future.first?.time }
    guard !future.isEmpty else { return first.slot }
    future[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < future.count {
        if future[child] < future[least] { least = child }
      }
      guard least != parent else { break }
      future.swapAt(parent, least)
      parent = least
    }
    return first.slot
  }

  /// Adds `shift` to the times of all messages that wait for their time tags, after the wall clock was set; the order
  /// stays the same.
  func shiftFuture(byNanoseconds shift: Int64) {
    for index in future.indices {
      future[index].time = future[index].time.advanced(byNanoseconds: shift)
      slots[Int(future[index].slot)].time = future[index].time
    }
    nextTime = future.first?.time
  }

  /// Removes all waiting messages, after a call of `dropped` for each of them.
  func removeAll(_ dropped: (borrowing QueuedMessage) -> Void) {
    var all = future.map(\.slot)
    future.removeAll(keepingCapacity: true)
    largeFuture = 0
    nextTime = nil
    while let slot = popFirst() { all.append(slot) }
    for slot in all {
      dropped(slots[Int(slot)])
      slots[Int(slot)].route?.waiting = -1
      release(slot)
    }
  }
}
