import Glibc
import MoRuntime
import Testing

/// A pipe that holds four pages, and the text read from it.
private final class SmallPipe {
  private let ends: (read: Int32, write: Int32)
  let writer: ConsoleWriter

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    // F_SETPIPE_SZ, which the header declares for GNU programs only.
    try #require(fcntl(ends[1], 1031, 16384) == 16384)
    self.ends = (ends[0], ends[1])
    writer = ConsoleWriter(ends[1])
  }

  /// Fills it to the last byte.
  func fill() { #expect(write(ends.write, [UInt8](repeating: 46, count: 16384), 16384) == 16384) }

  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(ends.read, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }
}

/// A terminal: its own end, and the program's end.
private final class Terminal {
  let own: Int32
  let program: Int32

  init() throws {
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    // The header declares these for GNU programs only.
    typealias Call = @convention(c) (Int32) -> Int32
    typealias Name = @convention(c) (Int32) -> UnsafePointer<CChar>?
    let unlock = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "unlockpt"))
    let name = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "ptsname"))
    try #require(own >= 0 && unsafeBitCast(unlock, to: Call.self)(own) == 0)
    program = open(try #require(unsafeBitCast(name, to: Name.self)(own)), O_RDWR | O_NOCTTY)
  }

  /// Types a key, and waits until the terminal accepts output, or stops doing so.
  func type(_ key: UInt8, untilOpen isOpen: Bool) {
    #expect(write(own, [key], 1) == 1)
    var request = pollfd(fd: program, events: Int16(POLLOUT), revents: 0)
    while (poll(&request, 1, 0) > 0) != isOpen { usleep(1000) }
  }

  /// Returns the terminal's output up to a text.
  func shown(until text: String) -> String {
    var shown = ""
    while !shown.contains(text) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(own, &bytes, bytes.count)
      if count > 0 { shown += String(decoding: bytes[..<count], as: UTF8.self) } else { usleep(1000) }
    }
    return shown
  }

  deinit {
    close(own)
    close(program)
  }
}

@Suite("Output without a reader")
struct OutletTests {
  private let missing = "missing here: the terminal, or the program that reads this, had stopped\n"

  private func rows(_ texts: String...) -> ScreenRows { ScreenRows(texts.map { ScreenLine($0) }) }

  @Test("counts lines that a full pipe does not accept, without waiting")
  func fullPipe() throws {
    let pipe = try SmallPipe()
    pipe.writer.writeLines("one\n")
    #expect(pipe.read() == "one\n")
    pipe.fill()
    // The first line is begun, and follows when there is room; the others are dropped.
    for line in ["two\n", "three\n", "four\nfive\n"] { pipe.writer.writeLines(line) }
    _ = pipe.read()
    pipe.writer.writeLines("six\n")
    #expect(pipe.read() == "two\n3 lines are \(missing)six\n")
    pipe.writer.writeLines("seven\n")
    #expect(pipe.read() == "seven\n")
  }

  @Test("counts a single dropped line in the singular")
  func oneLine() throws {
    let pipe = try SmallPipe()
    pipe.fill()
    for line in ["one\n", "two\n"] { pipe.writer.writeLines(line) }
    _ = pipe.read()
    pipe.writer.writeLines("three\n")
    #expect(pipe.read() == "one\n1 line is \(missing)three\n")
  }

  @Test("a text that is accepted in parts comes whole and in order")
  func parts() throws {
    let pipe = try SmallPipe()
    let text = (0..<30_000).map { "\($0)\n" }.joined()
    pipe.writer.writeLines(text)
    var read = ""
    while read.utf8.count < text.utf8.count {
      let part = pipe.read()
      try #require(!part.isEmpty)
      read += part
      pipe.writer.paint("")
    }
    #expect(read == text)
  }

  @Test("drops output to a terminal stopped with Ctrl-S without waiting, and continues after Ctrl-Q")
  func stoppedTerminal() throws {
    let terminal = try Terminal()
    let writer = ConsoleWriter(terminal.program)
    writer.draw(rows("meter"))
    #expect(terminal.shown(until: "meter").contains("\u{1B}[24Hmeter"))
    terminal.type(0x13, untilOpen: false)
    for line in ["one\n", "two\n", "three\n"] { writer.writeLines(line) }
    for _ in 0..<10_000 { writer.draw(rows("a picture of a line, and", "another")) }
    terminal.type(0x11, untilOpen: true)
    writer.writeLines("four\n")
    let shown = terminal.shown(until: "four")
    #expect(shown.contains("one") && shown.contains("2 lines are missing here"), "\(shown)")
    #expect(!shown.contains("picture"), "\(shown)")
  }

  @Test("drawing, messages and erasing never wait for a hung terminal")
  func hangingTerminal() throws {
    let terminal = try Terminal()
    let writer = ConsoleWriter(terminal.program)
    for turn in 0..<20_000 {
      writer.draw(rows("a picture of a line, and", "another, \(turn)"))
      writer.writeLines("and a message\n")
      writer.paint("a screen")
      writer.erase()
    }
    #expect(terminal.shown(until: "a screen").contains("and a message"))
  }

  @Test("keeps nothing after the reader is gone")
  func nobody() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    let before = signal(SIGPIPE, SIG_IGN)
    // Programs that other tests start would inherit the ignored signal.
    defer { signal(SIGPIPE, before) }
    let writer = ConsoleWriter(ends[1])
    for _ in 0..<100 { writer.writeLines("nothing\n") }
    close(ends[1])
    writer.writeLines("nothing\n")
  }

  @Test("writes to a socket as to a pipe, such as systemd's journal")
  func socket() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let writer = ConsoleWriter(ends[0])
    for _ in 0..<20_000 { writer.writeLines("a line that nobody reads, as long as it is\n") }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while recv(ends[1], &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    writer.writeLines("last\n")
    let count = recv(ends[1], &bytes, bytes.count, Int32(MSG_DONTWAIT))
    let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    #expect(text.contains("lines are \(missing)") && text.hasSuffix("last\n"), "\(text)")
  }
}
