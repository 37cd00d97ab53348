import MoConsole
import MoOrchestra

/// The instrument and the octave that the user of this machine plays.
///
/// The user can change the instrument at any time. Notes of the previous instrument die away.
struct Player: Sendable {
  private let bus: InstrumentBus
  private(set) var handle: InstrumentHandle?
  private var place = -1
  private var octave = 4
  private var tape: MoToken?

  init(_ bus: InstrumentBus) {
    self.bus = bus
    octave = MoSession.kept("octave").flatMap { Int($0) }.map { max(0, min($0, 8)) } ?? octave
  }

  /// A line of text about the instrument and the octave.
  var text: String {
    guard let handle else { return "you have no instrument: press i to choose one" }
    return "you play \(handle.sheet.name), octave \(octave): \(handle.sheet.summary)"
  }

  /// A line of text about the keys; the keys that play need an instrument.
  var help: String {
    "i I instrument" + (handle == nil ? "" : "   a to k play   z x octave   space strikes")
  }

  /// Changes to the next instrument of the catalogue if `step` is 1, or to the previous instrument if `step` is −1.
  mutating func choose(next step: Int) throws {
    let all = Instruments.all
    place = (place + step + all.count) % all.count
    try choose(all[place])
  }

  /// Changes to the instrument of the catalogue that is called `name`.
  mutating func choose(named name: String) throws {
    let entry = try Instruments.named(name)
    place = Instruments.all.firstIndex { $0.sheet.name == name } ?? 0
    try choose(entry)
  }

  private mutating func choose(_ entry: InstrumentFactory) throws {
    let old = handle
    handle = try entry.add(to: bus)
    handle?.grid = Quantiser()  // quantises notes to the nearest sixteenth of the rhythm
    tape?.cancel()
    // A member that records has your keys, too.
    tape = try handle?.tellTapes()
    old?.stop()
    MoSession.setPlays(entry.sheet.name)
    MoSession.keep(entry.sheet.name, as: "instrument")
  }

  private mutating func turn(to new: Int) {
    octave = max(0, min(new, 8))
    MoSession.keep("\(octave)", as: "octave")
  }

  /// Performs the action of a key: changes the instrument or the octave, strikes, or plays a note.
  mutating func obey(_ key: Character, at now: HostTime) throws {
    switch key {
    case "i": try choose(next: 1)
    case "I": try choose(next: -1)
    case "z": turn(to: octave - 1)
    case "x": turn(to: octave + 1)
    case " ": try chosen().strike(0.8, at: now)
    default:
      guard let semitone = PianoKeys.semitone(key) else { return }
      let handle = try chosen()
      let pitch = Float(12 * (octave + 1) + semitone)
      handle.playNote(pitch, for: .milliseconds(400), at: now)
    }
  }

  /// Returns the instrument that the keys play; throws `NoInstrument` if the user has not chosen an instrument yet.
  private func chosen() throws -> InstrumentHandle {
    guard let handle else { throw NoInstrument() }
    return handle
  }
}

/// The error that is thrown if the user plays before an instrument was chosen.
struct NoInstrument: Error, CustomStringConvertible {
  var description: String { "you have no instrument yet: press i to choose an instrument, then play" }
}

/// A `Player` with a lock, shared by the threads that read the keys, read the sensor and draw the console.
final class SharedPlayer: @unchecked Sendable {
  // Unchecked: `player` is guarded by `lock`.
  private let lock = MoMutex()
  private var player: Player

  init(_ bus: InstrumentBus) { player = Player(bus) }

  @discardableResult
  func use<Result, Failure: Error>(
    _ body: (inout Player) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.acquire()
    defer { lock.release() }
    return try body(&player)
  }
}
