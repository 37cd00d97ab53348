import CMoSystem
import Glibc
import MoCore

/// Standard output or standard error as people read them: whoever writes here never waits for a reader.
///
/// A terminal that was stopped with Ctrl-S, a window that hangs and a pipe whose reader does take nothing more, and a
/// plain write waits until they do: a session's thread that told of a new member would be off the stage as long. Here
/// what is not taken at once is left out, and counted; how many lines are missing is said as soon as something can be.
///
/// Rows may be drawn below the messages, over and over (`ScreenRegion`): messages scroll above them.
///
/// - Thread: any but the audio thread's callback. The lock is held for as long as a write takes that does not wait.
package final class ConsoleWriter: Sendable {
  /// Standard output, for pictures that are drawn over and over.
  ///
  /// What is piped on is data, of which none may be missing: that is not for here.
  package static let output = ConsoleWriter(STDOUT_FILENO)
  /// Standard error.
  package static let error = ConsoleWriter(STDERR_FILENO)

  private struct State {
    /// What was not taken of the text that was begun: it comes first, so that no line and no colour is cut through.
    var rest: ArraySlice<UInt8> = []
    /// How many lines were left out since something could last be written.
    var missing = 0
    /// What is drawn at the bottom.
    var region = ScreenRegion()
    var endsInOrder = false
  }

  private let descriptor: Int32
  private let state = Locked(State())

  /// Seconds that the end of the program waits for what is still to be written, all in all.
  private static let patience = 0.5

  /// - Parameter descriptor: where it is written; it stays the caller's.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes lines, each ended by a line feed, with control characters written out; those that are not taken are counted.
  package func say(_ words: String) {
    let text = words.printableLines
    state.withLock { state in
      guard makeRoom(&state) else {
        state.missing += text.utf8.count { $0 == UInt8(ascii: "\n") }
        return waitAtEnd(&state)
      }
      put(state.region.isDrawn ? state.region.say(text) : text, &state)
    }
  }

  /// Draws rows in place of those drawn before, as many of them as the terminal has room for; left out while those
  /// before are still to be taken.
  ///
  /// - Parameter isKnown: false if the terminal may show something else than it was given.
  package func draw(_ rows: ScreenRows, isKnown: Bool = true, hasColour: Bool = true) {
    state.withLock { state in
      guard makeRoom(&state) else { return }
      state.region.hasColour = hasColour
      let text = state.region.draw(rows, in: room, isKnown: isKnown)
      if !text.isEmpty { put(text, &state) }
    }
  }

  /// How much the terminal shows.
  package var room: TerminalSize {
    TerminalSize(columns: Int(momu_terminal_columns(descriptor)), rows: Int(momu_terminal_rows(descriptor)))
  }

  /// Takes away what is drawn, if anything is.
  package func erase() {
    state.withLock { state in
      guard state.region.isDrawn, makeRoom(&state) else { return }
      put(state.region.erase(), &state)
    }
  }

  /// Draws a picture that sees to its own place, such as a whole screen; left out where the one before is still to be
  /// taken.
  package func paint(_ picture: String) {
    state.withLock { state in
      guard makeRoom(&state) else { return }
      put(picture, &state)
    }
  }

  /// Waits a moment for what is still to be written; what then is not taken is lost.
  func end() {
    let clock = SystemClock()
    let end = clock.now.advanced(bySeconds: Self.patience)
    while case let left = end.seconds(since: clock.now), left > 0 {
      let isDone = state.withLock { state in makeRoom(&state) || Self.isClosed(descriptor) }
      if isDone { return }
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, Int32(left * 1000) + 1)
    }
  }

  // MARK: what is taken

  /// Writes what is left from before, and how much is missing since; whether there is room for more.
  private func makeRoom(_ state: inout State) -> Bool {
    write(&state)
    guard state.rest.isEmpty else { return false }
    guard state.missing > 0 else { return true }
    guard Self.hasRoom(descriptor) else { return false }
    let are = state.missing == 1 ? "is" : "are"
    let text =
      "\(counted(state.missing, "line")) \(are) missing here: the terminal, or the program that reads this, had stopped\n"
    put(state.region.isDrawn ? state.region.say(text) : text, &state)
    state.missing = 0
    return state.rest.isEmpty
  }

  private func put(_ text: String, _ state: inout State) {
    state.rest = Array(text.utf8)[...]
    write(&state)
    if !state.rest.isEmpty { waitAtEnd(&state) }
  }

  /// Writes what is to be written, as far as it is taken.
  private func write(_ state: inout State) {
    while !state.rest.isEmpty {
      let count = state.rest.withUnsafeBytes { Self.write($0, to: descriptor) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      // Nobody reads here any more, or the disk is full: then it is lost.
      guard count > 0 else {
        state.rest = []
        return
      }
      state.rest = state.rest.dropFirst(count)
    }
  }

  /// Has what could not be written now be tried once more as the program ends.
  private func waitAtEnd(_ state: inout State) {
    guard !state.endsInOrder else { return }
    state.endsInOrder = true
    if self === ConsoleWriter.error || self === ConsoleWriter.output { _ = Self.atExit }
  }

  private static let atExit: Void = {
    atexit {
      ConsoleWriter.output.end()
      ConsoleWriter.error.end()
    }
  }()
}

// MARK: - Writing without waiting

extension ConsoleWriter {
  /// The least that is taken by a terminal or a pipe that says it takes anything, where it can only be asked.
  private static let piece = 64

  /// Writes as much as is taken at once: how many bytes, or -1 and `errno`, which is `EAGAIN` where nothing is.
  fileprivate static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return -1 }
    switch file.st_mode & S_IFMT {
    case S_IFSOCK:
      return send(
        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    case S_IFIFO: break
    case S_IFCHR where isatty(descriptor) != 0: break
    default: return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
    guard hasRoom(descriptor) else {
      errno = EAGAIN
      return -1
    }
    // That there is room is not yet room for all, and a plain write would wait. Not to wait is a property of the open
    // file, which is shared with the shell and others that write here: so it is opened once more.
    let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    // As another user, under su, that is not allowed: then a little at a time is the best that can be done.
    guard own >= 0 else { return Glibc.write(descriptor, bytes.baseAddress, min(piece, bytes.count)) }
    let count = Glibc.write(own, bytes.baseAddress, bytes.count)
    let flaw = errno
    close(own)
    errno = flaw
    return count
  }

  /// Whether something would be taken now, or refused for good.
  fileprivate static func hasRoom(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) != 0
  }

  /// Whether nobody will read here any more.
  fileprivate static func isClosed(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) != 0 && Int32(request.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
  }
}
