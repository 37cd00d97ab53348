import Glibc

/// `momu calibrate` on a card that records its own output: one side of the loopback records what the other plays.
func checkCalibrate(_ report: Report) throws {
  let near = try calibrate("--audio", "hw:Loopback,0,0+hw:Loopback,1,0", "--distance", "0")
  report.check("it ends with status 0", near.status == 0, "\(near.status): \(near.text)")
  report.check("every click is recorded", near.number("heard") == 5, near.text)
  let spread = near.number("spread_ms") ?? 1_000
  report.check("the clicks agree within half a millisecond", spread < 0.5, "\(spread) ms")
  // There is no air between, and both sides count the frames of one clock, in ticks of 4 ms.
  let trim = near.number("trim_ms") ?? 1_000
  report.check("the measured delay is the card's reported delay", abs(trim) < 4, "\(trim) ms")
  report.note("trim \(trim) ms, spread \(spread) ms")
  let far = try calibrate("--audio", "hw:Loopback,0,0+hw:Loopback,1,0", "--distance", "343.2")
  let change = trim - (far.number("trim_ms") ?? 1_000)
  report.check("10 ms of air are subtracted", abs(change - 10) < 0.2, "\(change) ms")
  let deaf = try calibrate("--audio", "hw:Loopback,0,0")
  report.check(
    "reports a muted microphone if it receives no sound",
    deaf.status == 1 && deaf.text.contains("the microphone is silent: unmute it"), deaf.text)
}

/// The exit status of the program, and its output on both streams.
private struct Ending {
  var status: Int32
  var text: String

  /// Returns a number of its JSON.
  func number(_ key: String) -> Double? {
    guard let start = text.firstRange(of: "\"\(key)\":")?.upperBound else { return nil }
    return Double(text[start...].prefix { $0 != "," && $0 != "}" })
  }
}

private func calibrate(_ arguments: String...) throws -> Ending {
  let file = "/tmp/calibrate.txt"
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  posix_spawn_file_actions_adddup2(&actions, 1, 2)
  let all = ["/programs/momu", "calibrate", "--clicks", "5", "--json"] + arguments
  let words = all.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  var process = pid_t()
  guard posix_spawn(&process, all[0], &actions, nil, words, environ) == 0 else {
    throw Failure(call: "posix_spawn")
  }
  var status: Int32 = 0
  waitpid(process, &status, 0)
  let reading = open(file, O_RDONLY)
  defer { close(reading) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(reading, &bytes, bytes.count)
  return Ending(status: status >> 8, text: String(decoding: bytes[..<max(0, count)], as: UTF8.self))
}
