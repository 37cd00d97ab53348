import Glibc
import MoCore
import MoRuntime
import Synchronization
import Testing

@Suite("The terminal's keys")
struct TerminalKeysTests {
  /// A pipe in place of a terminal, and the record of its use.
  private final class Typing: Sendable {
    let keys: TerminalKeys
    let input = EventLoop(clock: ManualClock(HostTime(seconds: 1)), isDriven: true)
    private let ends: (reading: Int32, typing: Int32)
    private let recorder = Recorder()

    /// The events of the terminal and its listeners, in order.
    private final class Recorder: Sendable {
      let all = Locked<[String]>([])
      func add(_ text: String) { all.withLock { $0.append(text) } }
    }

    init(hasTerminal: Bool = true, isOurs: @escaping @Sendable () -> Bool = { true }) {
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      self.ends = (ends[0], ends[1])
      keys = TerminalKeys(
        ends[0],
        TerminalKeys.Terminal(
          open: { hasTerminal }, restore: { [recorder] in recorder.add("restored") }, isOurs: isOurs))
    }

    /// Adds a listener that accepts some of the keys.
    func listen(_ name: String, for wanted: String, rank: TerminalKeys.Rank = .usual) throws -> MoToken? {
      try keys.add(
        to: input, rank: rank,
        { [recorder] key, _ in
          guard case .character(let letter) = key, wanted.contains(letter) else { return false }
          recorder.add("\(name) \(letter)")
          return true
        }, closed: { [recorder] in recorder.add("\(name) is closed") })
    }

    /// Adds a listener that accepts all keys.
    func listenToAll(_ name: String, rank: TerminalKeys.Rank = .usual) throws -> MoToken? {
      try keys.add(to: input, rank: rank) { [recorder] key, _ in
        recorder.add("\(name) \(key)")
        return true
      }
    }

    /// Returns the events when this is typed.
    func type(_ text: String) -> [String] {
      let bytes = Array(text.utf8)
      _ = write(ends.typing, bytes, bytes.count)
      return look()
    }

    func hangUp() -> [String] {
      close(ends.typing)
      return look()
    }

    func look(at seconds: Double = 1) -> [String] {
      input.service(until: HostTime(seconds: seconds))
      return recorder.all.withLock { all in
        defer { all = [] }
        return all
      }
    }

    deinit { close(ends.reading) }
  }

  @Test("Esc alone is a key after a tenth of a second, and the beginning of an arrow is not")
  func escape() throws {
    let typing = Typing()
    let console = try #require(try typing.listen("console", for: "a\u{1B}"))
    #expect(typing.type("\u{1B}").isEmpty)
    #expect(typing.keys.nextTime == HostTime(seconds: 1) + .milliseconds(100))
    #expect(typing.look(at: 1.05).isEmpty)
    #expect(typing.look(at: 1.2) == ["console \u{1B}"] && typing.keys.nextTime == nil)
    #expect(typing.type("\u{1B}").isEmpty)
    #expect(typing.type("[A").isEmpty && typing.look(at: 3).isEmpty)
    #expect(typing.type("\u{1B}").isEmpty)
    #expect(typing.type("a") == ["console a"] && typing.look(at: 5).isEmpty)
    console.cancel()
  }

  @Test("each key goes to the first listener that accepts it, and only once")
  func order() throws {
    let typing = Typing()
    let console = try #require(try typing.listen("console", for: "abc "))
    #expect(typing.type("a b") == ["console a", "console  ", "console b"])
    let motion = try #require(try typing.listen("motion", for: " ", rank: .first))
    #expect(typing.type("a x") == ["console a", "motion  "])
    let prompt = try #require(try typing.listen("prompt", for: "b ", rank: .prompt))
    let rhythm = try #require(try typing.listen("rhythm", for: "ab ", rank: .first))
    #expect(typing.type("ab c") == ["rhythm a", "prompt b", "prompt  ", "console c"])
    prompt.cancel()
    rhythm.cancel()
    #expect(typing.type(" ") == ["motion  "])
    motion.cancel()
    #expect(typing.type(" ") == ["console  "])
    console.cancel()
    #expect(typing.type("a") == ["restored"])
  }

  @Test("pasted text reaches only the listeners with a line to type, and no console")
  func pasting() throws {
    let typing = Typing()
    let console = try #require(try typing.listenToAll("console"))
    let motion = try #require(try typing.listenToAll("motion", rank: .first))
    #expect(typing.type("\u{1B}[200~\nx!\u{1B}[201~").isEmpty)
    #expect(typing.type("!") == ["motion character(\"!\")"])
    let prompt = try #require(try typing.listenToAll("prompt", rank: .prompt))
    #expect(
      typing.type("\u{1B}[200~\nx!\u{1B}[201~") == [
        "prompt pasted(\" \")", "prompt pasted(\"x\")", "prompt pasted(\"!\")",
      ])
    prompt.cancel()
    motion.cancel()
    console.cancel()
  }

  @Test("pasted text ends after two seconds without a byte, and Esc before its end is no key")
  func endlessPaste() throws {
    let typing = Typing()
    let console = try #require(try typing.listenToAll("console"))
    #expect(typing.type("\u{1B}[200~a\u{1B}").isEmpty)
    #expect(typing.keys.nextTime == HostTime(seconds: 3))
    #expect(typing.look(at: 2.9).isEmpty)
    #expect(typing.type("[201~b") == ["console character(\"b\")"] && typing.keys.nextTime == nil)
    #expect(typing.type("\u{1B}[200~!").isEmpty)
    #expect(typing.look(at: 3).isEmpty && typing.keys.nextTime == nil)
    #expect(typing.type("!") == ["console character(\"!\")"])
    console.cancel()
  }

  @Test(
    "in the background, the program leaves the keys in the terminal, and checks again every quarter of a second"
  )
  func background() throws {
    let isOurs = Locked(true)
    let typing = Typing(isOurs: { isOurs.withLock { $0 } })
    let console = try #require(try typing.listen("console", for: "ab"))
    #expect(typing.type("a") == ["console a"] && typing.keys.descriptor != nil && typing.keys.nextTime == nil)
    isOurs.withLock { $0 = false }
    #expect(typing.type("b").isEmpty)
    #expect(typing.keys.descriptor == nil && typing.keys.nextTime == HostTime(seconds: 1.25))
    #expect(typing.look(at: 2).isEmpty)
    #expect(typing.keys.descriptor == nil && typing.keys.nextTime == HostTime(seconds: 2.25))
    isOurs.withLock { $0 = true }
    #expect(typing.look(at: 2.25) == ["console b"])
    #expect(typing.keys.descriptor != nil && typing.keys.nextTime == nil)
    console.cancel()
  }

  @Test("the terminal is restored when the last listener has gone, not before, and can be opened again")
  func giving() throws {
    let typing = Typing()
    let first = try typing.listen("first", for: "a")
    let second = try typing.listen("second", for: "b")
    first?.cancel()
    first?.cancel()
    #expect(typing.type("ab") == ["second b"])
    second?.cancel()
    #expect(typing.look() == ["restored"])
    _ = try typing.listen("third", for: "c")
    #expect(typing.type("c") == ["third c"])
  }

  @Test("listeners learn once that it was closed, and none is added without a terminal")
  func closing() throws {
    let typing = Typing()
    _ = try typing.listen("first", for: "a")
    _ = try typing.listen("second", for: "b")
    #expect(typing.hangUp() == ["first is closed", "second is closed"])
    #expect(typing.look() == [])
    #expect(try Typing(hasTerminal: false).listen("nobody", for: "a") == nil)
  }

  @Test(
    "after a terminal has closed within a key or pasted text, its keys have no next time",
    arguments: ["\u{1B}", "\u{1B}[200~a"])
  func closingWhilePending(text: String) throws {
    let typing = Typing()
    _ = try typing.listen("console", for: "a\u{1B}")
    #expect(typing.type(text).isEmpty && typing.keys.nextTime != nil)
    #expect(typing.hangUp() == ["console is closed"] && typing.keys.nextTime == nil)
  }
}
