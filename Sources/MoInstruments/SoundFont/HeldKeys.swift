/// Which key each note holds down; a key is let go with the last of its notes.
///
/// A MIDI synthesiser knows keys alone. A note here has an id: it may begin on a key that another holds, and its end may
/// bear another pitch than its beginning.
///
/// - Real-time safe: yes.
struct HeldKeys {
  private struct Hold: BitwiseCopyable {
    var id: Int32 = 0
    var key: Int32 = 0
  }

  /// As many as there are keys; the oldest first.
  private var holds = InlineArray<128, Hold>(repeating: Hold())
  private(set) var count = 0

  /// A note begins on a key.
  ///
  /// One of its id ends; where there is no room, the oldest does.
  ///
  /// - Returns: a key to be let go for it; nil for none.
  mutating func start(id: Int32, on key: Int32) -> Int32? {
    let left = end(id: id) ?? (count == holds.count ? end(at: 0) : nil)
    holds[count] = Hold(id: id, key: key)
    count += 1
    return left == key ? nil : left
  }

  /// A note ends.
  ///
  /// - Returns: its key, to be let go; nil where there is no such note, or another holds the key.
  mutating func end(id: Int32) -> Int32? {
    for index in 0..<count where holds[index].id == id { return end(at: index) }
    return nil
  }

  /// All have ended.
  mutating func clear() { count = 0 }

  private mutating func end(at place: Int) -> Int32? {
    let key = holds[place].key
    count -= 1
    for index in place..<count { holds[index] = holds[index + 1] }
    for index in 0..<count where holds[index].key == key { return nil }
    return key
  }
}
