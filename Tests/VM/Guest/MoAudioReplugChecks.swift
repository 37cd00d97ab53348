import Glibc
import MoMu
import Synchronization

/// The plug is pulled while MoAudio plays: it plays on, reports this, and returns to the card when the card is back.
func checkMoAudioReplug(_ report: Report) throws {
  let events = Events()
  let token = MoAudio.onEvent { events.add("\($0)") }
  defer { token.cancel() }
  let positions = Positions()
  try MoAudio.start(device: "hw:Loopback,0,0", blockFrames: 256, outputs: 2) { block in
    positions.take(block.position, count: block.frames.count)
  }
  pause(1)
  let pulling = KernelDriver.loopback.unplug()
  try waitUntil("the loss is reported", report) { events.has("deviceLost") }
  try pulling.wait()
  report.check("MoAudio releases the card", !KernelDriver.loopback.isPresent)
  report.check("the status names the replacement", MoAudio.status.device == "virtual", "\(MoAudio.status)")
  let before = MoAudio.status.blocks
  pause(2)
  let without = MoAudio.status.blocks - before
  report.check(
    "plays on at its rate without the card", abs(without - 375) <= 12, "\(without) blocks in 2 s")
  try KernelDriver.loopback.plug()
  try waitUntil("the return is reported", report) { events.has("deviceBack") }
  report.check("the status names the card", MoAudio.status.device == "hw:Loopback,0,0")
  pause(1)
  MoAudio.stop()
  report.check("no frame is missing or repeated", positions.areGapless)
  // The same program starts a second time, on the same card.
  try MoAudio.start(device: "hw:Loopback,0,0", blockFrames: 256, outputs: 2) { _ in }
  pause(0.2)
  report.check("starts again on the same card", MoAudio.status.blocks > 10)
  do {
    try MoAudio.start { _ in }
    report.check("a second start is refused", false)
  } catch {
    report.check(
      "a second start is refused",
      "\(error)" == "MoAudio is already running: call MoAudio.stop() before you start it again", "\(error)")
  }
  MoAudio.stop()
  checkBusy(report)
  checkRate(report)
}

/// A card that another program holds.
private func checkBusy(_ report: Report) {
  let holder = try? PCM("hw:Loopback,0,0", .init(0), .s16)
  do {
    try MoAudio.start(device: "hw:Loopback,0,0") { _ in }
    MoAudio.stop()
    report.check("a busy card is refused", false, "it was opened")
  } catch {
    report.check(
      "a busy card is refused",
      "\(error)"
        == "hw:Loopback,0,0 is in use by vm-guest (process \(getpid())): close it, "
        + "or use --audio default, which allows sharing",
      "\(error)")
  }
  withExtendedLifetime(holder) {}
}

/// A rate that no loopback has: a program's rate is a request, so the card's own is used.
private func checkRate(_ report: Report) {
  do {
    try MoAudio.start(device: "hw:Loopback,0,0", sampleRate: 700_000) { _ in }
    let rate = MoAudio.sampleRate
    MoAudio.stop()
    report.check(
      "the card's own rate replaces an unsupported one", (8000...400_000).contains(rate),
      "\(rate) Hz")
  } catch {
    report.check("the card's own rate replaces an unsupported one", false, "\(error)")
  }
}

/// The notices, in order.
final class Events: Sendable {
  private let list = Mutex<[String]>([])
  func add(_ event: String) { list.withLock { $0.append(event) } }
  func has(_ word: String) -> Bool { list.withLock { list in list.contains { $0.contains(word) } } }
}

/// Whether every block began at the end of the previous one.
final class Positions: Sendable {
  private let next = Atomic<Int64>(0)
  private let gaps = Atomic<Int>(0)

  func take(_ position: Int64, count: Int) {
    // The unheard first call is at 0 as well.
    if position != next.load(ordering: .relaxed), position != 0 { gaps.wrappingAdd(1, ordering: .relaxed) }
    next.store(position + Int64(count), ordering: .relaxed)
  }

  var areGapless: Bool { gaps.load(ordering: .relaxed) == 0 }
}

/// Waits up to ten seconds of the guest's time, and reports the result.
func waitUntil(_ law: String, _ report: Report, _ holds: () -> Bool) throws {
  for _ in 0..<1000 where !holds() { pause(0.01) }
  report.check(law, holds())
}
