import MoCore
import MoMu
import Synchronization

/// What a drum machine plays: slots, levels, mutes, swing and a chain of patterns; and its rhythm.
///
/// ```swift
/// let board = DrumBoard()               // 3 × 16: kick, snare, hat
/// board[0, 0] = 0.9                     // row 0, step 0
/// board.toggle(row: 1, step: 4)
/// try MoAudio.play(DrumMachine(board))
/// board.rhythm.start()
/// ```
///
/// Each setting is one atomic word: the audio thread reads it while others write, without a lock, and several machines
/// that exchange their edits (`onEdit`, `merge`) come to the same state.
///
/// - Thread: any.
/// - Real-time safe: reading slots, levels, mutes, swing and chain, yes; edits, no.
public final class DrumBoard: @unchecked Sendable {
  // Unchecked: the words are atomic, and their memory does not move.
  /// Its size.
  public let layout: DrumLayout
  /// Its own beat: start, stop, pause, resume, tempo.
  public let rhythm: Rhythm
  /// The steps that were played, as they were.
  public let ticks = DrumTicks()
  /// Who edits here: different on every machine.
  public let author: UInt16

  let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let listener = Locked(Listener())
  /// Who else hears of every edit made here: the rooms that share it, beside whoever uses `onEdit`.
  package let sharing = CallbackList<SharedEdit>()

  /// Who is told of edits; in a structure of its own, as `MoLog` has its handler.
  private struct Listener: Sendable {
    var tell: (@Sendable (SharedEdit) -> Void)?
  }

  let history = Locked(DrumHistory())

  /// A board with nothing set.
  ///
  /// - Parameters:
  ///   - layout: its size; left out, 3 rows of 16 steps, 4 patterns.
  ///   - rhythm: its beat; left out, one of its own at 120 beats a minute.
  ///   - author: tells those apart who edit together; left out, chance.
  public init(_ layout: DrumLayout = .standard, rhythm: Rhythm = Rhythm(), author: UInt16? = nil) {
    self.layout = layout
    self.rhythm = rhythm
    self.author = author ?? UInt16(truncatingIfNeeded: SeedSource.next())
    words = .allocate(capacity: layout.count)
    for key in 0..<layout.count { (words + key).initialize(to: Atomic(0)) }
    setInitial()
  }

  /// What is set where nobody has set anything.
  private func setInitial() {
    for key in 0..<layout.count {
      words[key].store(SharedCell(standing: layout.usual(key)).word, ordering: .relaxed)
    }
  }

  deinit {
    words.deinitialize(count: layout.count)
    words.deallocate()
  }

  /// How hard a slot is struck, 0 (off) … 1; kept in thousandths.
  ///
  /// What lies outside the board reads 0 and is not set.
  public subscript(row: Int, step: Int, pattern pattern: Int = 0) -> Float {
    get { has(row, step, pattern) ? Float(value(layout.slot(pattern, row, step))) / 1000 : 0 }
    set {
      if has(row, step, pattern) { set([(layout.slot(pattern, row, step), DrumBoard.thousandths(newValue))]) }
    }
  }

  /// Switches a slot on, at 0.8, or off.
  public func toggle(row: Int, step: Int, pattern: Int = 0) {
    self[row, step, pattern: pattern] = self[row, step, pattern: pattern] > 0 ? 0 : 0.8
  }

  /// How loud a row is, 0 … 1.
  public func level(row: Int) -> Float { has(row) ? Float(value(layout.level(row))) / 1000 : 0 }
  /// Sets how loud a row is, 0 … 1.
  public func setLevel(_ level: Float, row: Int) {
    if has(row) { set([(layout.level(row), DrumBoard.thousandths(level))]) }
  }

  /// Whether a row is silent.
  public func isMuted(row: Int) -> Bool { has(row) && value(layout.mute(row)) != 0 }
  /// Silences a row, or lets it sound; what sounds already dies away by itself.
  public func setMuted(_ isMuted: Bool, row: Int) {
    if has(row) { set([(layout.mute(row), isMuted ? 1 : 0)]) }
  }

  /// What a row plays.
  public func sound(row: Int) -> DrumSound {
    DrumSound(rawValue: has(row) ? Int(value(layout.sound(row))) : 0) ?? .kick
  }
  /// Gives a row a sound.
  public func setSound(_ sound: DrumSound, row: Int) {
    if has(row) { set([(layout.sound(row), UInt16(sound.rawValue))]) }
  }

  /// How late the second sixteenth of a pair is, 0 … 1; see `SwungSteps`.
  ///
  /// No number is not taken.
  public var swing: Float {
    get { Float(value(layout.swing)) / 1000 }
    set { if !newValue.isNaN { set([(layout.swing, DrumBoard.thousandths(newValue))]) } }
  }

  /// The patterns that are played one after the other, from the first bar on; at first pattern 0 alone.
  ///
  /// Kept within 32 entries and the patterns there are; an empty chain becomes pattern 0.
  public var chain: [Int] {
    get { (0..<chainLength).map { Int(value(layout.chain($0))) } }
    set {
      var entries = newValue.prefix(DrumLayout.longestChain).map { max(0, min($0, layout.patterns - 1)) }
      if entries.isEmpty { entries = [0] }
      // The length comes last: it counts only what is there.
      set(
        zip(0..., entries).map { (layout.chain($0), UInt16($1)) }
          + [(layout.chainLength, UInt16(entries.count))])
    }
  }

  /// The pattern and the step in it that are played at a step of the beat: the same on every machine.
  ///
  /// - Real-time safe: yes.
  public func place(ofStep index: Int64) -> (pattern: Int, step: Int) {
    let steps = Int64(layout.steps)
    let rounds = index >= 0 ? index / steps : (index - steps + 1) / steps
    let length = Int64(chainLength)
    let entry = ((rounds % length) + length) % length
    return (Int(value(layout.chain(Int(entry)))), Int(index - rounds * steps))
  }

  /// Called for every edit made here, to be sent to the others; not for those that are merged.
  ///
  /// One is called: another one takes its place, nil takes it away. What `share()` does is apart from it.
  public func onEdit(_ body: (@Sendable (SharedEdit) -> Void)?) { listener.withLock { $0.tell = body } }

  /// Takes an edit made elsewhere; whether it changed anything.
  ///
  /// One that makes no sense is left alone; so is one whose count is more than 2²⁴ ahead of its cell's, which no hand
  /// comes to.
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

  /// All that was ever set here or elsewhere: what a newcomer merges to be as the others are.
  public var edits: [SharedEdit] {
    (0..<layout.count).compactMap { key in
      let cell = cell(key)
      return cell.count > 0 ? SharedEdit(key: Int64(key), cell: cell) : nil
    }
  }

  /// Makes it as it was when it was made, as if nothing had ever been set: a newcomer's board becomes the room's.
  ///
  /// What is merged meanwhile may stay or not, so it is to be merged afterwards.
  package func reset() {
    history.withLock { $0 = DrumHistory() }
    setInitial()
  }

  func cell(_ key: Int) -> SharedCell { SharedCell(word: words[key].load(ordering: .acquiring)) }
  func value(_ key: Int) -> UInt16 { cell(key).value }
  var chainLength: Int { max(1, Int(value(layout.chainLength))) }

  /// Sets cells as one's own change, which `undo` takes back as a whole.
  func set(_ changes: [(key: Int, value: UInt16)]) {
    let made = write(changes)
    if !made.isEmpty { history.withLock { $0.add(made) } }
  }

  /// Sets cells, without a trace in the history; those that have the value already are left.
  func write(_ changes: [(key: Int, value: UInt16)]) -> [DrumHistory.Change] {
    let told = listener.withLock { $0 }.tell
    var made: [DrumHistory.Change] = []
    for (key, value) in changes {
      let before = cell(key)
      guard before.value != value else { continue }
      let edit = SharedEdit(key: Int64(key), cell: before.changed(to: value, by: author))
      guard merge(edit) else { continue }
      made.append(DrumHistory.Change(key: key, before: before, mine: edit.cell))
      told?(edit)
      sharing.call(edit)
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
