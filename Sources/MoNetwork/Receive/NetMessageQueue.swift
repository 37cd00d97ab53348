import Glibc
import MoCore
import MoOSC

/// A message that waits: its bytes and what is known of it.
struct QueuedMessage {
  var route: NetAddressEntry?
  var peer: NetPeer
  var sender = 0
  var arrival = HostTime.zero
  var time = HostTime.zero
  var timeTag: OSCTimeTag?
  /// Whether it lies in the future and goes only to those who want that at once.
  var isAhead = false
  /// Whether it waits for its time and was given to those who want it ahead.
  var isOnTimeOnly = false
  var length = 0
  var bytes: UnsafeMutableRawPointer
  /// Bytes there is room for: more than a small message's only where it has memory of its own.
  var room: Int
  var next: Int32 = -1
}

/// Messages that wait for a callback, first in first out, or for their time; guarded by the inbound's lock.
///
/// Room for all is made once and touched as it is needed, the same slots again and again, so that neither a flood
/// nor a year makes it grow.
final class NetMessageQueue {
  /// How many messages wait at most, and how many of them for their time.
  static let capacity = 8192
  /// How many addresses of which only the newest waits find room when all that is taken.
  private static let mostLatestBeyond = 1024
  static let mostFuture = 4096
  /// Bytes that large messages take at most.
  static let mostLarge = 8 << 20
  /// A message up to this size needs no memory of its own.
  private static let small = 256

  private let slab: UnsafeMutableRawPointer
  private let slots: UnsafeMutablePointer<QueuedMessage>
  private var made: Int32 = 0
  private var free: Int32 = -1
  private var long = Line()
  private var short = Line()
  private var isShortNext = false
  private var large = 0
  private var future: [Due] = []
  /// When the first of them is due: kept beside them, since every message asks for it.
  private(set) var nextTime: HostTime?
  private var sequence: UInt64 = 0
  /// How many wait, for whatever.
  private(set) var count = 0

  /// Slots one behind the other, first in first out.
  private struct Line {
    var head: Int32 = -1
    var tail: Int32 = -1
  }

  private struct Due {
    var time: HostTime
    var sequence: UInt64
    var slot: Int32

    /// Those for the same moment stay in the order they came.
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

  /// A slot that holds a copy of `bytes`, in no line yet; nil where there is no room.
  func take(_ bytes: UnsafeRawBufferPointer, from peer: NetPeer, isLatest: Bool) -> Int32? {
    guard count < Self.capacity + (isLatest ? Self.mostLatestBeyond : 0) else { return nil }
    let slot: Int32
    if free >= 0 {
      slot = free
    } else {
      slot = made
      (slots + Int(slot)).initialize(
        to: QueuedMessage(peer: peer, bytes: slab + Int(slot) * Self.small, room: Self.small))
    }
    guard fill(slot, bytes) else { return nil }
    if slot == made { made += 1 } else { free = slots[Int(slot)].next }
    slots[Int(slot)].peer = peer
    slots[Int(slot)].next = -1
    count += 1
    return slot
  }

  /// Puts other bytes into a slot; false where there is no room for so many.
  func fill(_ slot: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let place = slots + Int(slot)
    if bytes.count > place.pointee.room {
      let room = (bytes.count + 1023) & ~1023
      guard large + room <= Self.mostLarge else { return false }
      shrink(slot)
      place.pointee.bytes = .allocate(byteCount: room, alignment: 16)
      place.pointee.room = room
      large += room
    }
    if let start = bytes.baseAddress { memcpy(place.pointee.bytes, start, bytes.count) }
    place.pointee.length = bytes.count
    return true
  }

  /// Gives a slot back; the message is gone.
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

  // MARK: the lines

  /// Puts a slot at the end of the line, or of the short one for addresses of which only the newest waits.
  func append(_ slot: Int32, isLatest: Bool) {
    if isLatest { append(slot, to: &short) } else { append(slot, to: &long) }
  }

  private func append(_ slot: Int32, to line: inout Line) {
    if line.tail >= 0 { slots[Int(line.tail)].next = slot } else { line.head = slot }
    slots[Int(slot)].next = -1
    line.tail = slot
  }

  /// The next in line, taken out of it: from either line in turn, so that a fader is not behind all the notes.
  func popFirst() -> Int32? {
    isShortNext.toggle()
    if isShortNext { return popFirst(of: &short) ?? popFirst(of: &long) }
    return popFirst(of: &long) ?? popFirst(of: &short)
  }

  private func popFirst(of line: inout Line) -> Int32? {
    guard line.head >= 0 else { return nil }
    let slot = line.head
    line.head = slots[Int(slot)].next
    if line.head < 0 { line.tail = -1 }
    return slot
  }

  /// Whether another bundle full of messages from a connection, and what is read with it, might find no room.
  var isBusy: Bool { count - future.count > 512 || large > Self.mostLarge / 2 }

  var isLineEmpty: Bool { long.head < 0 && short.head < 0 }

  // MARK: the future, a heap

  /// Lets a slot wait for its time; false where enough do.
  func wait(_ slot: Int32) -> Bool {
    guard future.count < Self.mostFuture else { return false }
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

  /// The first that is due by `now`, taken out.
  func popDue(by now: HostTime) -> Int32? {
    guard let first = future.first, first.time <= now else { return nil }
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

  /// Moves all times, after the wall clock was set: the order among them stays.
  func shiftFuture(byNanoseconds shift: Int64) {
    for index in future.indices {
      future[index].time = future[index].time.advanced(byNanoseconds: shift)
      slots[Int(future[index].slot)].time = future[index].time
    }
    nextTime = future.first?.time
  }

  /// Gives up everything that waits.
  func removeAll(_ dropped: (borrowing QueuedMessage) -> Void) {
    var all = future.map(\.slot)
    future.removeAll(keepingCapacity: true)
    nextTime = nil
    while let slot = popFirst() { all.append(slot) }
    for slot in all {
      dropped(slots[Int(slot)])
      slots[Int(slot)].route?.waiting = -1
      release(slot)
    }
  }
}
