/// The key that each note holds down; a key is released with the last of its notes.
///
/// A MIDI synthesiser identifies a note by its key, but MoMu identifies a note by an ID. A note may begin on a key that
/// another note already holds. A note may end with another pitch than it began with.
///
/// - Real-time safe: yes.
struct HeldKeys {
  private struct Hold: BitwiseCopyable {
    var id: Int32 = 0
    var key: Int32 = 0
  }

  /// The notes and their keys, the oldest first; only the first `count` elements are in use.
  private var holds = InlineArray<128, Hold>(repeating: Hold())
  private(set) var count = 0

  /// Begins a note on a key; first ends a note with the same ID or, if 128 notes are held, the oldest note.
  ///
  /// - Returns: the key of the ended note, which must be released; nil if no key must be released.
  mutating func start(id: Int32, on key: Int32) -> Int32? {
    let left = end(id: id) ?? (count == holds.count ? end(at: 0) : nil)
    holds[count] = Hold(id: id, key: key)
    count += 1
    return left == key ? nil : left
  }

  /// Ends a note.
  ///
  /// - Returns: the key to release; nil if no held note has this ID, or if another note holds the key, too.
  mutating func end(id: Int32) -> Int32? {
    for index in 0..<count where holds[index].id == id { return end(at: index) }
    return nil
  }

  /// Forgets all notes; their keys must be released by the caller.
  mutating func clear() { count = 0 }

  private mutating func end(at place: Int) -> Int32? {
    let key = holds[place].key
    count -= 1
    for index in place..<count { holds[index] = holds[index + 1] }
    for index in 0..<count where holds[index].key == key { return nil }
    return key
  }
}
