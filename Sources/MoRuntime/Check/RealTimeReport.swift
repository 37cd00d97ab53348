import CMoSystem
import Glibc

/// The report that a student reads when the check stops the program.
enum RealTimeReport {
  /// The folder of the package's own sources: a stack frame whose source is in this folder is not the student's code.
  private static let ownSources = String(#filePath.prefix(upTo: #filePath.range(ofLast: "/MoRuntime/Check/")))

  /// Restores the terminal and writes the report to standard error.
  ///
  /// The sentence that names the call comes first, because nothing can fail while it is written. The function names and
  /// lines follow.
  static func write(
    call: UnsafePointer<CChar>?, kind: momu_rt_kind, stack: UnsafePointer<UnsafeMutableRawPointer?>?,
    depth: Int
  ) {
    let offence = RealTimeOffence(kind)
    KeyboardTerminal.restore()
    TerminalLine.clear()
    put(call)
    put(" was called in the audio callback: ")
    put(offence.reason)
    put(", and the sound will crackle.\n")
    let addresses = UnsafeBufferPointer(start: stack, count: depth).compactMap { $0 }
    put(lines(of: StackFrame.named(addresses)))
    put("  Instead: ")
    put(offence.instead)
    put("\n")
  }

  /// Returns the part of the report that shows the calls: the place in the student's own file, the calls from there to
  /// the violation, and the callers of that place.
  static func lines(of frames: [StackFrame]) -> String {
    // The topmost frames are the check itself.
    let calls = frames.drop { $0.isUnder(ownSources + "/CMoSystem") || $0.name.hasPrefix("momu_rt_") }
    let isMine = { (frame: StackFrame) in frame.isReadable && !frame.isUnder(ownSources) }
    guard let place = calls.firstIndex(where: isMine) ?? calls.firstIndex(where: \.isReadable) else {
      return calls.prefix(8).map { "    \($0)\n" }.joined()
    }
    var text = "  called from: \(calls[place])\n"
    for frame in calls[..<place].suffix(6).reversed() { text += "    which called \(frame.name)\n" }
    let callers = calls[(place + 1)...].filter(isMine).prefix(6)
    for frame in callers { text += "    called by \(frame)\n" }
    return text
  }

  private static func put(_ text: StaticString) { _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount) }
  private static func put(_ text: UnsafePointer<CChar>?) {
    if let text { _ = Glibc.write(2, text, strlen(text)) }
  }
  private static func put(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}

extension String {
  /// Returns the index at which the last occurrence of `part` starts; `endIndex` if there is none.
  fileprivate func range(ofLast part: String) -> Index { ranges(of: part).last?.lowerBound ?? endIndex }
}

/// The explanation of a kind of violation: the reason why the call is a problem (`reason`), and the remedy (`instead`).
struct RealTimeOffence: Sendable {
  let reason: StaticString
  let instead: StaticString

  init(_ kind: momu_rt_kind) {
    switch kind {
    case MOMU_RT_ALLOCATION:
      reason = "it may wait for other programs"
      instead = "make arrays, strings and objects before MoAudio.start, not inside the callback."
    case MOMU_RT_RELEASE:
      reason = "freeing memory may wait for other programs"
      instead = "keep a reference to the array, string or object outside the callback."
    case MOMU_RT_LOCK:
      reason = "it waits until another thread releases the lock"
      instead = "hand values over with MoParam, MoTrigger or MoQueue, which never wait."
    case MOMU_RT_WAIT:
      reason = "it blocks the audio thread until another event"
      instead = "count frames to measure time; wait only on your own threads."
    case MOMU_RT_FILE:
      reason = "it waits for a terminal, a file or the network"
      instead = "keep the value in a MoParam or MoQueue, and print, write or send it outside the callback."
    case MOMU_RT_RANDOM:
      reason = "it asks the system for each number, and the answer may be late"
      instead = "make a generator before MoAudio.start, and give it to Float.random(in:using:)."
    case MOMU_RT_THREAD:
      reason = "starting a thread may wait for other programs"
      instead = "start threads before MoAudio.start, and hand them work with MoQueue."
    default:
      reason = "the system may take any length of time"
      instead = "do it outside the callback, on your own thread."
    }
  }
}
