/// A priority queue of values by their times; values of the same time keep the order in which they were added.
///
/// It is a binary heap in its own memory (J. W. J. Williams, "Algorithm 232: Heapsort", 1964). To add or remove a value
/// needs at most log2(count) steps.
///
/// - Thread: one owner.
/// - Real-time safe: yes, except for `init`.
@usableFromInline package struct TimeHeap<Element: BitwiseCopyable & Sendable>: ~Copyable {
  /// A value with its time and its rank among values of the same time.
  @frozen
  @usableFromInline package struct Entry: BitwiseCopyable {
    /// The time of the value.
    @usableFromInline package var time: HostTime
    @usableFromInline var order: UInt64
    /// The value.
    @usableFromInline package var element: Element

    @usableFromInline
    init(time: HostTime, order: UInt64, element: Element) {
      (self.time, self.order, self.element) = (time, order, element)
    }

    @inlinable
    func precedes(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
  }

  @usableFromInline let entries: UnsafeMutablePointer<Entry>
  /// The number of values that the heap can hold.
  @usableFromInline package let capacity: Int
  @usableFromInline var held = 0
  @usableFromInline var added: UInt64 = 0

  /// Creates a heap with room for `capacity` values.
  @usableFromInline package init(capacity: Int) {
    self.capacity = max(1, capacity)
    entries = .allocate(capacity: self.capacity)
  }

  deinit { entries.deallocate() }

  /// The number of values that the heap holds.
  @inlinable
  package var count: Int { held }

  /// The time at which the first value is due; nil if the heap is empty.
  @inlinable
  package var nextTime: HostTime? { held > 0 ? entries[0].time : nil }

  /// Adds a value; returns false if the heap is full.
  @inlinable
  package mutating func add(_ element: Element, at time: HostTime) -> Bool {
    guard held < capacity else { return false }
    added &+= 1
    let entry = Entry(time: time, order: added, element: element)
    var place = held
    held &+= 1
    while place > 0 {
      let parent = (place &- 1) / 2
      guard entry.precedes(entries[parent]) else { break }
      entries[place] = entries[parent]
      place = parent
    }
    entries[place] = entry
    return true
  }

  /// Removes and returns the earliest value with its time; nil if no value is due at or before `time`.
  @inlinable
  package mutating func removeFirst(dueBy time: HostTime) -> Entry? {
    guard held > 0, entries[0].time <= time else { return nil }
    let first = entries[0]
    held &-= 1
    if held > 0 { sink(entries[held], from: 0) }
    return first
  }

  /// Removes the values for which `isUnwanted` returns true; the other values keep their order.
  @inlinable
  package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    var kept = 0
    for index in 0..<held where !isUnwanted(entries[index].element) {
      entries[kept] = entries[index]
      kept &+= 1
    }
    held = kept
    for place in stride(from: kept / 2 &- 1, through: 0, by: -1) { sink(entries[place], from: place) }
  }

  /// Puts an entry at the index `top` of the heap, or as far below this index as the heap's order requires.
  @inlinable
  mutating func sink(_ entry: Entry, from top: Int) {
    var place = top
    while true {
      var child = 2 &* place &+ 1
      guard child < held else { break }
      if child &+ 1 < held, entries[child &+ 1].precedes(entries[child]) { child &+= 1 }
      guard entries[child].precedes(entry) else { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = entry
  }
}
