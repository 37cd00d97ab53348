import CALSA
import Glibc

/// `momu midi` with the kernel's sequencer, and alsa-utils at the other end.
func checkMIDI(_ report: Report) throws {
  let raw = try RawMIDI()
  try checkList(raw, report)
  try checkIn(raw, report)
  try checkSysExIn(raw, report)
  try checkOut(raw, report)
  try checkSpacing(raw, report)
  try checkRecorded(report)
  try checkHeard(raw, report)
  try checkFace(raw, report)
  try checkClock(raw, report)
  try checkLengths(report)
  try checkChucK(report)
  try checkPd(report)
  try checkRefused(report)
  try checkBridge(raw, report)
  try checkUnread(report)
  try checkEnd(report)
  try checkThrown(report)
  try checkUnplugged(raw, report)
}

func checkList(_ raw: RawMIDI, _ report: Report) throws {
  try finish(spawn(["/programs/momu", "midi", "list"], output: "/tmp/list"))
  let text = printed(in: "/tmp/list")
  report.check(
    "lists the virtual card's port as a device that sends and receives", text.contains(raw.port), text)
  try finish(
    spawn(
      ["/programs/momu", "midi", "send", "--to", "VirMIDY", "clock"], output: "/tmp/error", withErrors: true))
  let error = printed(in: "/tmp/error")
  report.check("a missing port is refused", error.hasPrefix("no MIDI port \"VirMIDY\""), error)
}

/// How many random messages are sent each way.
///
/// Tests/Long/midi-messages sends more: a line takes a third of a millisecond here.
private let messageCount = getenv("midimessages").flatMap { Int(String(cString: $0)) } ?? 5000

func checkIn(_ raw: RawMIDI, _ report: Report) throws {
  let all = randomMessages(messageCount)
  // A process here may use the processor for 30 s.
  for first in stride(from: 0, to: all.count, by: 50_000) {
    let messages = Array(all[first..<min(first + 50_000, all.count)])
    let listener = try MoMuListener(raw.port, count: messages.count)
    try listener.waitUntilConnected(report)
    for start in stride(from: 0, to: messages.count, by: 500) {
      try raw.send(Array(messages[start..<min(start + 500, messages.count)].joined()))
    }
    let heard = try listener.finish()
    report.check(
      "\(messages.count) random messages from amidi arrive, none lost, doubled or altered", heard == messages,
      difference(messages, heard))
  }
}

func checkSysExIn(_ raw: RawMIDI, _ report: Report) throws {
  let dump = longDump()
  let listener = try MoMuListener(raw.port, count: 1)
  try listener.waitUntilConnected(report)
  try raw.send(dump)
  let heard = try listener.finish()
  report.check(
    "64 KB of SysEx from amidi arrive whole", heard == [dump],
    "\(heard.count) messages of \(heard.first?.count ?? 0) bytes")
}

func checkOut(_ raw: RawMIDI, _ report: Report) throws {
  let all = randomMessages(messageCount)
  for start in stride(from: 0, to: all.count, by: 20_000) {
    let messages = Array(all[start..<min(start + 20_000, all.count)])
    try SongFile.write(messages, to: "/tmp/out.mid")
    let recorded = try raw.recording(report) {
      try finish(
        spawn(
          ["/programs/momu", "midi", "play", "--to", raw.port, "/tmp/out.mid"], output: "/tmp/play",
          withErrors: true))
    }
    // Notes that are held at the file's end are released after it.
    let heard = Array(recorded.prefix(messages.count))
    report.check(
      "\(messages.count) random messages reach amidi, none lost, doubled or altered", heard == messages,
      difference(messages, recorded) + "; " + printed(in: "/tmp/play"))
  }

  let dump = longDump()
  try SongFile.write([dump], to: "/tmp/dump.mid")
  let dumpRecorder = try raw.record(to: "/tmp/dump.bin")
  let start = now()
  let player = try spawn(["/programs/momu", "midi", "play", "--to", raw.port, "/tmp/dump.mid"])
  for _ in 0..<400 where readBytes("/tmp/dump.bin").count < dump.count { pause(0.1) }
  let seconds = now() - start
  kill(dumpRecorder, SIGINT)
  try finish(dumpRecorder)
  kill(player, SIGTERM)
  try finish(player)
  report.check(
    "64 KB of SysEx reach amidi whole", readBytes("/tmp/dump.bin") == dump,
    "\(readBytes("/tmp/dump.bin").count) bytes")
  report.check(
    "SysEx is sent at the speed of a cable, 3,125 bytes a second", abs(seconds - 65_536 / 3125) < 2,
    "\(seconds) s")
}

/// What keeps MIDI from being used, each with what to type.
func checkRefused(_ report: Report) throws {
  func said(_ words: [String]) throws -> String {
    try finish(spawn(words, output: "/tmp/refused", withErrors: true))
    return printed(in: "/tmp/refused")
  }
  var clients: [OpaquePointer] = []
  while clients.count < 64 {
    var opened: OpaquePointer?
    guard snd_seq_open(&opened, "default", SND_SEQ_OPEN_OUTPUT, 0) >= 0, let opened else { break }
    clients.append(opened)
  }
  let taken = try said(["/programs/momu", "midi", "list"])
  for client in clients { snd_seq_close(client) }
  report.check(
    "when all client numbers are taken, says so and what to close",
    taken.contains("no client number left: close some MIDI programs"), "\(clients.count) clients: \(taken)")

  try save(printed(in: "/etc/passwd") + "anna:x:1000:1000::/tmp:/bin/sh\n", to: "/etc/passwd")
  chmod("/dev/snd/seq", 0o600)
  let forbidden = try said(["/bin/su", "-s", "/bin/sh", "anna", "-c", "/programs/momu midi list"])
  let doctor = try said(["/bin/su", "-s", "/bin/sh", "anna", "-c", "/programs/momu doctor midi"])
  chmod("/dev/snd/seq", 0o666)
  report.check(
    "without the right to /dev/snd/seq, says which group gives it",
    forbidden.contains("no access to /dev/snd/seq") && forbidden.contains("sudo usermod -aG audio"), forbidden
  )
  report.check(
    "momu doctor midi finds the missing right",
    doctor.contains("PROBLEM  midi") && doctor.contains("anna may not use /dev/snd/seq"), doctor)
  let healthy = try said(["/programs/momu", "doctor", "midi"])
  report.check(
    "momu doctor midi lists the card's ports",
    healthy.contains("for --midi: Virtual Raw MIDI") && healthy.contains("for --midi-out: "), healthy)
}

/// A network session on the loopback, to which the card is bridged: through UDP and back.
func checkBridge(_ raw: RawMIDI, _ report: Report) throws {
  try finish(spawn(["/bin/busybox", "ip", "link", "set", "lo", "up"]))
  let bridge = try spawn(
    ["/programs/momu", "midi", "bridge", "net?port=6004", "--from", raw.port, "--to", raw.port],
    output: "/tmp/bridge", withErrors: true)
  // Active sensing arrives while the bridge opens its ports, so often that a message arrives between two ports.
  let keyboard = open(raw.device, O_WRONLY)
  guard keyboard >= 0 else { throw Failure(call: "open \(raw.device)") }
  var turns = 0
  while !printed(in: "/tmp/bridge").contains("UDP ports 6004"), turns < 20_000 {
    _ = write(keyboard, [UInt8(0xFE)], 1)
    pause(0.0005)
    turns += 1
  }
  close(keyboard)
  let messages = randomMessages(5000)
  let listener = try MoMuListener("net:127.0.0.1:6004", count: messages.count)
  for _ in 0..<1000 where !printed(in: "/tmp/bridge").contains("Reading MIDI from MoMu (") { pause(0.01) }
  for start in stride(from: 0, to: messages.count, by: 500) {
    try raw.send(Array(messages[start..<min(start + 500, messages.count)].joined()))
  }
  let heard = try listener.finish()
  report.check(
    "5,000 random messages from amidi reach a network session by the bridge, none lost, doubled or altered",
    heard == messages, difference(messages, heard) + "; " + printed(in: "/tmp/bridge"))

  report.check(
    "a message that arrives while the bridge starts opens no other target",
    !printed(in: "/tmp/bridge").contains("Until then nothing is sent"), printed(in: "/tmp/bridge"))

  try SongFile.write(messages, to: "/tmp/bridged.mid")
  let recorded = try raw.recording(report) {
    try finish(
      spawn(
        ["/programs/momu", "midi", "play", "--to", "net:127.0.0.1:6004", "/tmp/bridged.mid"],
        output: "/tmp/play", withErrors: true))
  }
  let back = Array(recorded.prefix(messages.count))
  report.check(
    "5,000 random messages from a network session reach amidi by the bridge, none lost, doubled or altered",
    back == messages, difference(messages, recorded) + "; " + printed(in: "/tmp/play"))
  kill(bridge, SIGINT)
  try finish(bridge)
}
