import MoCore
import MoMu
import Synchronization

/// The settings of a drum machine: steps, levels, mutes, swing, a chain of patterns and a rhythm.
///
/// ```swift
/// let board = DrumBoard()               // 3 × 16: kick, snare, hat
/// board[0, 0] = 0.9                     // row 0, step 0
/// board.toggle(row: 1, step: 4)
/// try MoAudio.play(DrumMachine(board))
/// board.rhythm.start()
/// ```
///
/// Each setting is one atomic number. The audio thread reads a setting without a lock while other threads write.
/// Machines that exchange their edits (`onEdit`, `merge`) reach the same state.
///
/// - Thread: any.
/// - Real-time safe: reading velocities, levels, mutes, swing and chain, yes; edits, no.
public final class DrumBoard: @unchecked Sendable {
  // Unchecked: the words are atomic, and their memory does not move.
  /// The numbers of rows, steps and patterns.
  public let layout: DrumLayout
  /// The board's own rhythm, which you start, stop, pause and resume, and whose tempo you set.
  public let rhythm: Rhythm
  /// The steps that were played, with their times.
  public let ticks = DrumTicks()
  /// The number that identifies this machine in every edit that is made on this board; random unless given to `init`.
  public let author: UInt16

  let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let callbacks = CallbackList<SharedEdit>()
  let history = Locked(DrumHistory())

  /// Creates an empty board.
  ///
  /// - Parameters:
  ///   - layout: the size (default: 3 rows of 16 steps, 4 patterns).
  ///   - rhythm: the rhythm (default: a new rhythm at 120 beats per minute).
  ///   - author: a number that identifies this machine in its edits; no other machine that edits the pattern may have
  ///     the same number (default: random).
  public init(_ layout: DrumLayout = .standard, rhythm: Rhythm = Rhythm(), author: UInt16? = nil) {
    self.layout = layout
    self.rhythm = rhythm
    self.author = author ?? UInt16(truncatingIfNeeded: SeedSource.next())
    words = .allocate(capacity: layout.count)
    for key in 0..<layout.count { (words + key).initialize(to: Atomic(0)) }
    setInitial()
  }

  /// Sets every cell to its default.
  private func setInitial() {
    for key in 0..<layout.count {
      words[key].store(SharedCell(standing: layout.usual(key)).word, ordering: .relaxed)
    }
  }

  deinit {
    words.deinitialize(count: layout.count)
    words.deallocate()
  }

  /// The velocity of a slot (a step of a row in a pattern), 0 (off) … 1, rounded to 0.001.
  ///
  /// Outside the board, reading returns 0 and writing does nothing.
  public subscript(row: Int, step: Int, pattern pattern: Int = 0) -> Float {
    get { has(row, step, pattern) ? Float(value(layout.slot(pattern, row, step))) / 1000 : 0 }
    set {
      if has(row, step, pattern) { set([(layout.slot(pattern, row, step), DrumBoard.thousandths(newValue))]) }
    }
  }

  /// Switches a slot on, with the velocity 0.8, if it is off; switches it off if it is on.
  public func toggle(row: Int, step: Int, pattern: Int = 0) {
    self[row, step, pattern: pattern] = self[row, step, pattern: pattern] > 0 ? 0 : 0.8
  }

  /// Returns the level of a row, 0 … 1: the gain of the row's sound; 0 for a row outside the board.
  public func level(row: Int) -> Float { has(row) ? Float(value(layout.level(row))) / 1000 : 0 }
  /// Sets the level of a row, 0 … 1: the gain of the row's sound; does nothing for a row outside the board.
  public func setLevel(_ level: Float, row: Int) {
    if has(row) { set([(layout.level(row), DrumBoard.thousandths(level))]) }
  }

  /// Returns whether a row is muted; false for a row outside the board.
  public func isMuted(row: Int) -> Bool { has(row) && value(layout.mute(row)) != 0 }
  /// Mutes or unmutes a row; a sound that has already begun fades by itself.
  public func setMuted(_ isMuted: Bool, row: Int) {
    if has(row) { set([(layout.mute(row), isMuted ? 1 : 0)]) }
  }

  /// Returns the sound of a row; the kick for a row outside the board.
  public func sound(row: Int) -> DrumSound {
    DrumSound(rawValue: has(row) ? Int(value(layout.sound(row))) : 0) ?? .kick
  }
  /// Sets the sound of a row; does nothing for a row outside the board.
  public func setSound(_ sound: DrumSound, row: Int) {
    if has(row) { set([(layout.sound(row), UInt16(sound.rawValue))]) }
  }

  /// The delay of the second step of each pair, 0 (no delay) … 1 (half a step); see `SwungSteps`.
  ///
  /// NaN is ignored.
  public var swing: Float {
    get { Float(value(layout.swing)) / 1000 }
    set { if !newValue.isNaN { set([(layout.swing, DrumBoard.thousandths(newValue))]) } }
  }

  /// The indices of the patterns in the order in which they play, repeated from bar 1 on (default: `[0]`).
  ///
  /// Only the first 32 indices are stored. An index outside the board is clamped to the nearest pattern. An empty array
  /// becomes `[0]`.
  public var chain: [Int] {
    get { (0..<chainLength).map { Int(value(layout.chain($0))) } }
    set {
      var entries = newValue.prefix(DrumLayout.longestChain).map { max(0, min($0, layout.patterns - 1)) }
      if entries.isEmpty { entries = [0] }
      // The length is set last, so that it never counts an entry that is not yet set.
      set(
        zip(0..., entries).map { (layout.chain($0), UInt16($1)) }
          + [(layout.chainLength, UInt16(entries.count))])
    }
  }

  /// Returns the pattern that plays at a step of the music, and the index of this step in the pattern.
  ///
  /// The parameter `index` counts the steps of the music from 0 at the start of bar 1.
  ///
  /// The result is the same on every computer that has the same `chain` of patterns.
  ///
  /// - Real-time safe: yes.
  public func place(ofStep index: Int64) -> (pattern: Int, step: Int) {
    let steps = Int64(layout.steps)
    let rounds = index >= 0 ? index / steps : (index - steps + 1) / steps
    let length = Int64(chainLength)
    let entry = ((rounds % length) + length) % length
    return (Int(value(layout.chain(Int(entry)))), Int(index - rounds * steps))
  }

  /// Calls `callback` with every edit made on this board, for example to send the edit to other machines.
  ///
  /// Merged edits do not call the callback.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on the thread that edits the board.
  @discardableResult
  public func onEdit(_ callback: @escaping @Sendable (SharedEdit) -> Void) -> MoToken {
    callbacks.add(callback)
  }

  /// Merges an edit that was made on another machine; returns whether the edit changed its cell.
  ///
  /// On every machine, a cell counts its edits. An edit carries the count that its cell reached on the other machine,
  /// and changes the cell here if this count is higher than the count here. `SharedCell` says which edit wins if the
  /// counts are equal. `merge` ignores an invalid edit. If the cell has been edited, `merge` also ignores an edit whose
  /// count is more than 2²⁴ higher: users never make so many edits between two messages.
  @discardableResult
  public func merge(_ edit: SharedEdit) -> Bool {
    guard let key = Int(exactly: edit.key), 0..<layout.count ~= key, layout.takes(edit.cell.value, at: key)
    else { return false }
    var current = words[key].load(ordering: .acquiring)
    while edit.cell.wins(over: SharedCell(word: current)) {
      let (exchanged, original) = words[key].compareExchange(
        expected: current, desired: edit.cell.word, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      current = original
    }
    return false
  }

  /// The latest edit of each edited cell, made on this board or merged.
  ///
  /// A new member of a room merges these edits, so that its board reaches the state of this board.
  public var edits: [SharedEdit] {
    (0..<layout.count).compactMap { key in
      let cell = cell(key)
      return cell.count > 0 ? SharedEdit(key: Int64(key), cell: cell) : nil
    }
  }

  /// Resets all cells to their defaults, as a new member of a room does before it merges the edits of the room's board.
  ///
  /// An edit that is merged during the reset may be lost, so merge after the reset.
  package func reset() {
    history.withLock { $0 = DrumHistory() }
    setInitial()
  }

  func cell(_ key: Int) -> SharedCell { SharedCell(word: words[key].load(ordering: .acquiring)) }
  func value(_ key: Int) -> UInt16 { cell(key).value }
  var chainLength: Int { max(1, Int(value(layout.chainLength))) }

  /// Writes values to cells as a single change of this machine; `undo` takes back the whole change.
  func set(_ changes: [(key: Int, value: UInt16)]) {
    let made = write(changes)
    if !made.isEmpty { history.withLock { $0.add(made) } }
  }

  /// Writes values to cells, without an entry in the history of `undo`; returns the changes that were made.
  ///
  /// A cell that already has the wanted value is not changed.
  func write(_ changes: [(key: Int, value: UInt16)]) -> [DrumHistory.Change] {
    var made: [DrumHistory.Change] = []
    for (key, value) in changes {
      let before = cell(key)
      guard before.value != value else { continue }
      let edit = SharedEdit(key: Int64(key), cell: before.changed(to: value, by: author))
      guard merge(edit) else { continue }
      made.append(DrumHistory.Change(key: key, before: before, mine: edit.cell))
      callbacks.call(edit)
    }
    return made
  }

  private func has(_ row: Int, _ step: Int = 0, _ pattern: Int = 0) -> Bool {
    0..<layout.rows ~= row && 0..<layout.steps ~= step && 0..<layout.patterns ~= pattern
  }

  private static func thousandths(_ part: Float) -> UInt16 {
    part.isNaN ? 0 : UInt16((max(0, min(part, 1)) * 1000).rounded())
  }
}
