import CMoSystem
import Glibc
import MoCore

/// A writer to standard output or standard error, for text that a person reads; it never waits until text is accepted.
///
/// A terminal that was stopped with Ctrl-S, a hung window or a full pipe accepts nothing more. An ordinary write would
/// then wait, and could stall the session's thread. Here, text that is not accepted immediately is dropped and counted.
/// The number of missing lines is reported as soon as possible.
///
/// Rows may be drawn below the messages, again and again (`ScreenRegion`): messages scroll above them.
///
/// - Thread: any but the audio thread's callback. The lock is held for the time of a write that does not wait.
package final class ConsoleWriter: Sendable {
  /// Standard output, for pictures that are drawn again and again.
  ///
  /// Do not use it for data that another program reads from a pipe, since this writer may drop some of the data.
  package static let output = ConsoleWriter(STDOUT_FILENO)
  /// Standard error, for messages and for the rows of `TerminalLine`.
  package static let error = ConsoleWriter(STDERR_FILENO)

  private struct State {
    /// The rest of a text that was accepted only in part; this rest is written first, so that no line and no colour is
    /// cut.
    var rest: ArraySlice<UInt8> = []
    /// The number of dropped lines that have not been reported yet.
    var missing = 0
    /// The rows at the bottom of the terminal.
    var region = ScreenRegion()
    var endsInOrder = false
  }

  private let descriptor: Int32
  private let state = Locked(State())

  /// The longest time, in seconds, for which the program's end is delayed until this output has accepted the pending
  /// text.
  private static let timeout = 0.5

  /// - Parameter descriptor: the descriptor to write to; the caller keeps it and closes it.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes lines, each ended by a line feed; control characters are escaped.
  ///
  /// Lines that cannot be accepted now are dropped and counted.
  package func writeLines(_ words: String) {
    let text = words.printableLines
    state.withLock { state in
      guard makeRoom(&state) else {
        state.missing += text.utf8.count { $0 == UInt8(ascii: "\n") }
        return waitAtEnd(&state)
      }
      put(state.region.isDrawn ? state.region.message(text) : fitted(text), &state)
    }
  }

  private var isTerminal: Bool { isatty(descriptor) != 0 }

  /// Returns a text with long rows broken between words if this output is a terminal, else the text unchanged.
  package func fitted(_ text: String) -> String { isTerminal ? wrapped(text) : text }

  private func wrapped(_ text: String) -> String { ScreenRegion.wrapped(text, columns: room.columns) }

  /// Draws rows in place of the rows that were drawn before, as many as fit in the terminal.
  ///
  /// It draws nothing while a part of the earlier text still waits to be accepted.
  ///
  /// - Parameter isKnown: false if other programs may have written to the terminal, such as after Ctrl-Z and `fg`.
  package func draw(_ rows: ScreenRows, isKnown: Bool = true, hasColour: Bool = true) {
    state.withLock { state in
      guard makeRoom(&state) else { return }
      state.region.hasColour = hasColour
      let text = state.region.draw(rows, in: room, isKnown: isKnown)
      if !text.isEmpty { put(text, &state) }
    }
  }

  /// The size of the terminal.
  package var room: TerminalSize {
    TerminalSize(columns: Int(momu_terminal_columns(descriptor)), rows: Int(momu_terminal_rows(descriptor)))
  }

  /// Erases the rows, if any are drawn.
  package func erase() {
    state.withLock { state in
      guard state.region.isDrawn, makeRoom(&state) else { return }
      put(state.region.erase(), &state)
    }
  }

  /// Forgets the rows without erasing them, since another program has the terminal now.
  package func forget() { state.withLock { $0.region.forget() } }

  /// Draws a picture with its own cursor movements, such as a whole screen.
  ///
  /// It draws nothing while a part of the earlier text still waits to be accepted.
  package func paint(_ picture: String) {
    state.withLock { state in
      guard makeRoom(&state) else { return }
      put(picture, &state)
    }
  }

  /// Waits until the output has accepted the pending text, but at most `timeout` seconds.
  func end() {
    let clock = SystemClock()
    let end = clock.now.advanced(bySeconds: Self.timeout)
    while case let left = end.seconds(since: clock.now), left > 0 {
      let isDone = state.withLock { state in makeRoom(&state) || Self.isClosed(descriptor) }
      if isDone { return }
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, Int32(left * 1000) + 1)
    }
  }

  // MARK: accepted text

  /// Writes pending text and the number of missing lines; returns whether the output can accept further text.
  private func makeRoom(_ state: inout State) -> Bool {
    write(&state)
    guard state.rest.isEmpty else { return false }
    guard state.missing > 0 else { return true }
    guard Self.hasRoom(descriptor) else { return false }
    let are = state.missing == 1 ? "is" : "are"
    let text =
      "\(counted(state.missing, "line")) \(are) missing here: the terminal, or the program that reads this, had stopped\n"
    put(state.region.isDrawn ? state.region.message(text) : text, &state)
    state.missing = 0
    return state.rest.isEmpty
  }

  private func put(_ text: String, _ state: inout State) {
    state.rest = Array(text.utf8)[...]
    write(&state)
    if !state.rest.isEmpty { waitAtEnd(&state) }
  }

  /// Writes pending text, as much as is accepted.
  private func write(_ state: inout State) {
    while !state.rest.isEmpty {
      let count = state.rest.withUnsafeBytes { Self.write($0, to: descriptor) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      // The reader is gone, or the disk is full: the text is lost.
      guard count > 0 else {
        state.rest = []
        return
      }
      state.rest = state.rest.dropFirst(count)
    }
  }

  /// Arranges a last attempt to write the pending text when the program ends.
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
  /// The number of bytes that a terminal or a pipe surely accepts at once if it reports that it is writable.
  private static let piece = 64

  /// Writes as many bytes as are accepted immediately, and returns their number.
  ///
  /// If the write fails, the result is -1, and `errno` has the reason: `EAGAIN` if there is no room.
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
    // Some room is not room for all, and a plain write would wait. Whether a write waits is a property of the open
    // file, which the shell and other programs share. So the file is opened once more.
    let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    // As another user, under su, that is not allowed. Then small pieces are the best solution.
    guard own >= 0 else { return Glibc.write(descriptor, bytes.baseAddress, min(piece, bytes.count)) }
    let count = Glibc.write(own, bytes.baseAddress, bytes.count)
    let number = errno
    close(own)
    errno = number
    return count
  }

  /// Returns whether a write would return immediately: it would accept bytes, or fail.
  fileprivate static func hasRoom(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) != 0
  }

  /// Returns whether the terminal or the reader of the pipe is gone for good.
  fileprivate static func isClosed(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) != 0 && Int32(request.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
  }
}
