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
  try checkClock(raw, report)
  try checkLengths(report)
  try checkChucK(report)
  try checkRefused(report)
  try checkBridge(raw, report)
  try checkEnd(report)
  try checkUnplugged(raw, report)
}

private func checkList(_ raw: RawMIDI, _ report: Report) throws {
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

private func checkIn(_ raw: RawMIDI, _ report: Report) throws {
  // Split into two halves: a process here may use the processor for 30 s, and a line takes a third of a millisecond.
  for half in [0..<50_000, 50_000..<100_000] {
    let messages = Array(randomMessages(100_000)[half])
    let listener = try MoMuListener(raw.port, count: messages.count)
    try listener.waitUntilConnected(report)
    for start in stride(from: 0, to: messages.count, by: 500) {
      try raw.send(Array(messages[start..<min(start + 500, messages.count)].joined()))
    }
    let heard = try listener.finish()
    let first = zip(heard, messages).enumerated().first { $0.element.0 != $0.element.1 }
    report.check(
      "50,000 random messages from amidi arrive, none lost, doubled or altered", heard == messages,
      "\(heard.count) arrived; the first difference: \(first.map { "\($0)" } ?? "none")")
  }
}

private func checkSysExIn(_ raw: RawMIDI, _ report: Report) throws {
  let dump = longDump()
  let listener = try MoMuListener(raw.port, count: 1)
  try listener.waitUntilConnected(report)
  try raw.send(dump)
  let heard = try listener.finish()
  report.check(
    "64 KB of SysEx from amidi arrive whole", heard == [dump],
    "\(heard.count) messages of \(heard.first?.count ?? 0) bytes")
}

private func checkOut(_ raw: RawMIDI, _ report: Report) throws {
  let messages = randomMessages(20_000)
  try SongFile.write(messages, to: "/tmp/out.mid")
  let recorder = try raw.record(to: "/tmp/out.bin")
  try finish(
    spawn(
      ["/programs/momu", "midi", "play", "--to", raw.port, "/tmp/out.mid"], output: "/tmp/play",
      withErrors: true))
  kill(recorder, SIGINT)
  try finish(recorder)
  // Notes that are held at the file's end are released after it.
  let heard = Array(expanded(readBytes("/tmp/out.bin")).prefix(messages.count))
  let first = zip(heard, messages).enumerated().first { $0.element.0 != $0.element.1 }
  report.check(
    "20,000 random messages reach amidi, none lost, doubled or altered", heard == messages,
    "\(heard.count) arrived; the first difference: \(first.map { "\($0)" } ?? "none"); "
      + printed(in: "/tmp/play"))

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

private func checkSpacing(_ raw: RawMIDI, _ report: Report) throws {
  let notes: [[UInt8]] = (0..<100).map { [0x90, UInt8($0), 100] }
  try SongFile.write(notes, to: "/tmp/spaced.mid", ticks: 37)
  let listener = try MoMuListener("all", count: notes.count)
  try listener.waitUntilConnected(report)
  try finish(
    spawn(["/programs/aplaymidi", "-p", "MoMu", "/tmp/spaced.mid"], output: "/tmp/aplay", withErrors: true))
  let heard = try listener.finish()
  report.check(
    "100 notes of aplaymidi arrive at MoMu's own port", heard == notes,
    "\(heard.count) " + printed(in: "/tmp/aplay"))
  let times = listener.times
  let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
  let worst = gaps.map { abs($0 - 0.037) }.max() ?? 1
  report.check(
    "the kernel's timestamps have the played intervals, within 1 ms", worst < 0.001, "\(worst * 1000) ms")
}

/// Leads the virtual card, and takes the arrivals that amidi reports: seconds of CLOCK_MONOTONIC_RAW.
private func checkClock(_ raw: RawMIDI, _ report: Report) throws {
  let dumper = try spawn(
    ["/programs/amidi", "-p", "hw:VirMIDI,0", "-c", "-d", "-T", "raw"], output: "/tmp/clock")
  pause(0.5)
  try finish(
    spawn(
      [
        "/programs/momu", "play", "drum-machine", "--set", "loudness=0", "--tempo", "132", "--midi-clock",
        "lead",
        "--midi-out", raw.port, "--audio", "none", "--seconds", "12", "--quiet",
      ], output: "/tmp/lead", withErrors: true))
  pause(0.2)
  kill(dumper, SIGINT)
  try finish(dumper)
  let lines = printed(in: "/tmp/clock").split(separator: "\n").map { $0.split(separator: " ") }
  let times = lines.compactMap { words -> Double? in
    guard words.count > 1, words[1] == "F8" else { return nil }
    return strtod(String(words[0].prefix { $0 != ")" }), nil)
  }
  let commands = lines.compactMap { $0.count > 1 ? String($0[1]) : nil }.filter { ["FA", "FC"].contains($0) }
  report.check(
    "gear that MoMu leads is started, and stopped at the end", commands == ["FA", "FC"], "\(commands)")
  // The line of the least squares through all arrivals is the beat.
  let count = Double(times.count)
  let (index, time) = ((count - 1) / 2, times.reduce(0, +) / max(count, 1))
  let (top, bottom) = times.enumerated().reduce((0.0, 0.0)) { sums, next in
    let place = Double(next.offset) - index
    return (sums.0 + place * (next.element - time), sums.1 + place * place)
  }
  let interval = top / max(bottom, 1)
  let near = times.enumerated().count {
    abs($0.element - time - interval * (Double($0.offset) - index)) < 0.001
  }
  report.check(
    "24 clocks a quarter note arrive at amidi, 99 % within 1 ms of the beat",
    count > 590 && abs(interval * 24 * 132 / 60 - 1) < 1e-3 && Double(near) >= 0.99 * count,
    "\(times.count) clocks, \(near) within 1 ms, interval \(interval * 1000) ms; " + printed(in: "/tmp/lead"))
}

/// Notes that a program schedules with their lengths, as only programs of the sequencer can.
///
/// The kernel refuses such an event without a queue (EINVAL), and splits one of a queue into its beginning and its end.
private func checkLengths(_ report: Report) throws {
  let listener = try MoMuListener("all", count: 4)
  try listener.waitUntilConnected(report)
  var opened: OpaquePointer?
  guard snd_seq_open(&opened, "default", SND_SEQ_OPEN_OUTPUT, 0) >= 0, let handle = opened else {
    throw Failure(call: "snd_seq_open")
  }
  defer { snd_seq_close(handle) }
  let port = snd_seq_create_simple_port(
    handle, "lengths", UInt32(SND_SEQ_PORT_CAP_READ), UInt32(SND_SEQ_PORT_TYPE_APPLICATION))
  let clients = printed(in: "/proc/asound/seq/clients").split(separator: "\n")
  let line = clients.first { $0.hasPrefix("Client") && $0.contains("\"MoMu\"") } ?? ""
  guard let number = line.split(separator: " ").dropFirst().first.flatMap({ UInt8($0) }) else {
    throw Failure("MoMu is no client")
  }
  let queue = snd_seq_alloc_queue(handle)
  snd_seq_control_queue(handle, queue, Int32(SND_SEQ_EVENT_START.rawValue), 0, nil)
  snd_seq_drain_output(handle)
  var results: [Int32] = []
  for (key, milliseconds) in [(60, 250), (64, 100)] as [(UInt8, UInt32)] {
    var event = snd_seq_event_t()
    event.type = UInt8(SND_SEQ_EVENT_NOTE.rawValue)
    event.queue = UInt8(queue)
    event.flags = UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_REL)
    event.source.port = UInt8(port)
    event.dest.client = number
    event.data.note = snd_seq_ev_note_t(
      channel: 0, note: key, velocity: 90, off_velocity: 33, duration: milliseconds)
    results.append(snd_seq_event_output_direct(handle, &event))
  }
  let heard = try listener.finish()
  report.check(
    "notes with a length are released after it, with their release velocity",
    heard == [[0x90, 60, 90], [0x90, 64, 90], [0x80, 64, 33], [0x80, 60, 33]], "\(heard) \(results)")
  let times = listener.times
  if times.count == 4 {
    report.check(
      "their lengths are right within the queue's tick of 4 ms",
      abs(times[2] - times[1] - 0.1) < 0.005 && abs(times[3] - times[0] - 0.25) < 0.005, "\(times)")
  }
}

/// The script of Docs/MIDI.md, with a line that prints; ChucK reads MoMu's own port by its name.
private func checkChucK(_ report: Report) throws {
  guard access("/programs/chuck", X_OK) == 0 else { return }
  try save(
    """
    MidiIn in;
    MidiMsg m;
    if (!in.open("MoMu")) me.exit();
    <<< "open" >>>;
    while (true) {
      in => now;
      while (in.recv(m)) <<< m.data1, m.data2, m.data3 >>>;
    }
    """, to: "/tmp/read.ck")
  try SongFile.write([[0x90, 60, 100], [0x80, 60, 0], [0xB0, 11, 99]], to: "/tmp/chuck.mid", ticks: 9000)
  let player = try spawn(["/programs/momu", "midi", "play", "/tmp/chuck.mid"], output: "/tmp/play")
  for _ in 0..<500 where !printed(in: "/proc/asound/seq/clients").contains("\"MoMu\"") { pause(0.01) }
  let chuck = try spawn(
    ["/programs/chuck", "--silent", "/tmp/read.ck"], output: "/tmp/chuck", withErrors: true)
  for _ in 0..<600 where !printed(in: "/tmp/chuck").contains("176 11 99") { pause(0.05) }
  kill(chuck, SIGTERM)
  try finish(chuck)
  kill(player, SIGTERM)
  try finish(player)
  let text = printed(in: "/tmp/chuck")
  report.check(
    "ChucK reads MoMu's port by its name", text.contains("128 60") && text.contains("176 11 99"), text)
}

/// What keeps MIDI from being used, each with what to type.
private func checkRefused(_ report: Report) throws {
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
private func checkBridge(_ raw: RawMIDI, _ report: Report) throws {
  try finish(spawn(["/bin/busybox", "ip", "link", "set", "lo", "up"]))
  let bridge = try spawn(
    ["/programs/momu", "midi", "bridge", "net?port=6004", "--from", raw.port, "--to", raw.port],
    output: "/tmp/bridge", withErrors: true)
  for _ in 0..<1000 where !printed(in: "/tmp/bridge").contains("UDP ports 6004") { pause(0.01) }
  let messages = randomMessages(5000)
  let listener = try MoMuListener("net:127.0.0.1:6004", count: messages.count)
  for _ in 0..<1000 where !printed(in: "/tmp/bridge").contains("Reading MIDI from MoMu (") { pause(0.01) }
  for start in stride(from: 0, to: messages.count, by: 500) {
    try raw.send(Array(messages[start..<min(start + 500, messages.count)].joined()))
  }
  let heard = try listener.finish()
  report.check(
    "5,000 random messages from amidi reach a network session by the bridge, none lost, doubled or altered",
    heard == messages, "\(heard.count) arrived; " + printed(in: "/tmp/bridge"))

  try SongFile.write(messages, to: "/tmp/bridged.mid")
  let recorder = try raw.record(to: "/tmp/bridged.bin")
  try finish(
    spawn(
      ["/programs/momu", "midi", "play", "--to", "net:127.0.0.1:6004", "/tmp/bridged.mid"],
      output: "/tmp/play", withErrors: true))
  pause(0.5)
  kill(recorder, SIGINT)
  try finish(recorder)
  let back = Array(expanded(readBytes("/tmp/bridged.bin")).prefix(messages.count))
  report.check(
    "5,000 random messages from a network session reach amidi by the bridge, none lost, doubled or altered",
    back == messages, "\(back.count) arrived; " + printed(in: "/tmp/play"))
  kill(bridge, SIGINT)
  try finish(bridge)
}

private func checkEnd(_ report: Report) throws {
  let held: [[UInt8]] = [[0x90, 60, 100], [0x91, 64, 100], [0xB0, 64, 127], [0x90, 67, 100]]
  try SongFile.write(held, to: "/tmp/held.mid", lastTick: 60_000)
  for signal in [SIGTERM, SIGINT] {
    let dumper = try spawn(["/programs/aseqdump"], output: "/tmp/dumped")
    pause(0.5)
    let player = try spawn(["/programs/momu", "midi", "play", "--to", "aseqdump", "/tmp/held.mid"])
    for _ in 0..<300 where !printed(in: "/tmp/dumped").contains("note 67") { pause(0.01) }
    kill(player, signal)
    try finish(player)
    pause(0.2)
    kill(dumper, SIGTERM)
    try finish(dumper)
    let lines = printed(in: "/tmp/dumped").split(separator: "\n").map {
      $0.split(separator: " ").dropFirst().joined(separator: " ")
    }
    let end = lines.filter { $0.hasPrefix("Note off") || $0.hasPrefix("Control change") }.dropFirst()
    let expected = [
      "Note off 0, note 60, velocity 64", "Note off 0, note 67, velocity 64",
      "Note off 1, note 64, velocity 64",
      "Control change 0, controller 64, value 0", "Control change 0, controller 123, value 0",
      "Control change 1, controller 123, value 0",
    ]
    report.check(
      "after signal \(signal) aseqdump sees each note off, then the pedal, then controller 123",
      Array(end) == expected, "\(Array(end))")
  }
}

private func checkUnplugged(_ raw: RawMIDI, _ report: Report) throws {
  let listener = try MoMuListener("all", count: 1_000_000)
  try listener.waitUntilConnected(report)
  for _ in 0..<20 {
    try raw.send([0x90, 60, 100, 0x90, 64, 100, 0x90, 67, 100])
    pause(0.1)
    let pulled = KernelDriver.virtualMIDI.unplug()
    try pulled.wait()
    try KernelDriver.virtualMIDI.plug()
    pause(1)
  }
  listener.stop()
  let heard = try listener.finish()
  let pressed = heard.filter { $0.first == 0x90 }
  let released = heard.filter { $0.first == 0x80 }
  report.check(
    "a card that is unplugged 20 times during a chord is found again in a second", pressed.count == 60,
    "\(pressed.count) keys of 60")
  report.check(
    "each note of the unplugged card is released", released.count == pressed.count,
    "\(released.count) of \(pressed.count)")
}

/// The virtual MIDI card; `amidi` of alsa-utils plays and records at its other side.
struct RawMIDI {
  /// The name of its first port in the sequencer.
  let port: String

  init() throws {
    var text = [CChar](repeating: 0, count: 64)
    guard readlink("/proc/asound/VirMIDI", &text, 63) > 0 else {
      throw Failure(call: "readlink /proc/asound/VirMIDI")
    }
    port =
      "VirMIDI \(text.compactMap { (48...57).contains($0) ? String(UnicodeScalar(UInt8($0))) : nil }.joined())-0"
  }

  /// Sends bytes as the card's keyboard would.
  func send(_ bytes: [UInt8]) throws {
    try writeBytes(bytes, to: "/tmp/send.bin")
    try finish(spawn(["/programs/amidi", "-p", "hw:VirMIDI,0", "-s", "/tmp/send.bin"]))
  }

  /// Records the bytes that are sent to the card, until it is interrupted.
  func record(to path: String) throws -> pid_t {
    let recorder = try spawn(["/programs/amidi", "-p", "hw:VirMIDI,0", "-r", path], output: "/tmp/amidi")
    pause(0.5)
    return recorder
  }
}

/// `momu midi listen` and its output.
final class MoMuListener {
  private let process: pid_t
  private let path = "/tmp/heard"
  private(set) var times: [Double] = []

  init(_ source: String, count: Int) throws {
    process = try spawn(
      ["/programs/momu", "midi", "listen", "--json", "--all", "--count", "\(count)", source], output: path)
  }

  /// Waits until it is a client of the sequencer, with a connection.
  func waitUntilConnected(_ report: Report) throws {
    for _ in 0..<500 where !printed(in: "/proc/asound/seq/clients").contains("\"MoMu\"") { pause(0.01) }
    pause(0.3)
  }

  func stop() { kill(process, SIGINT) }

  /// Waits for its end, 200 s at most; returns the bytes of each message.
  func finish() throws -> [[UInt8]] {
    times = []
    var status: Int32 = 0
    for turn in 0... {
      let ended = waitpid(process, &status, WNOHANG)
      if ended != 0 { break }
      if turn == 1000 { kill(process, SIGINT) }
      pause(0.02)
    }
    let text = readBytes(path)
    var messages: [[UInt8]] = []
    var start = 0
    // Parsed by hand, since the guest's processor is slow and these are megabytes.
    for end in text.indices where text[end] == UInt8(ascii: "\n") {
      defer { start = end + 1 }
      guard end > start + 8, let open = text[start..<end].lastIndex(of: UInt8(ascii: "[")) else { continue }
      var message: [UInt8] = []
      var number: UInt8 = 0
      for byte in text[(open + 1)..<end] {
        if (48...57).contains(byte) {
          number = number &* 10 &+ (byte - 48)
        } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
          message.append(number)
          number = 0
        }
      }
      messages.append(message)
      times.append(strtod(String(decoding: text[(start + 8)..<min(start + 32, end)], as: UTF8.self), nil))
    }
    return messages
  }
}

/// Returns a MIDI file of one track with a message at a given interval in milliseconds, written without MoMu's code.
enum SongFile {
  static func write(_ messages: [[UInt8]], to path: String, ticks: Int = 1, lastTick: Int = 0) throws {
    var track: [UInt8] = []
    for (index, message) in messages.enumerated() {
      track += quantity(index == 0 ? 0 : ticks)
      if message[0] == 0xF0 {
        track += [0xF0] + quantity(message.count - 1) + message.dropFirst()
      } else {
        track += message
      }
    }
    track += quantity(lastTick) + [0xFF, 0x2F, 0]
    // 500 ticks a quarter note at 120 bpm: a tick is a millisecond.
    var bytes: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x01, 0xF4] + Array("MTrk".utf8)
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: track.count >> $0) }
    try writeBytes(bytes + track, to: path)
  }

  private static func quantity(_ number: Int) -> [UInt8] {
    var bytes = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}

/// Returns channel messages of every kind, the same at each run, without mode messages and without note-on of velocity
/// 0, which has another meaning.
private func randomMessages(_ count: Int) -> [[UInt8]] {
  var state: UInt64 = 26
  func next(_ limit: UInt64) -> UInt8 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8((state >> 33) % limit)
  }
  return (0..<count).map { _ in
    let kind = [0x80, 0x90, 0xA0, 0xB0, 0xC0, 0xD0, 0xE0][Int(next(7))] as UInt8
    let status = kind | next(16)
    switch kind {
    case 0xC0, 0xD0: return [status, next(128)]
    case 0x90: return [status, next(128), 1 + next(127)]
    case 0xB0: return [status, next(120), next(128)]
    default: return [status, next(128), next(128)]
    }
  }
}

private func longDump() -> [UInt8] { [0xF0] + (0..<65_534).map { UInt8($0 * 7 % 128) } + [0xF7] }

/// Returns the messages of a stream, with running status expanded.
private func expanded(_ bytes: [UInt8]) -> [[UInt8]] {
  var messages: [[UInt8]] = []
  var current: [UInt8] = []
  for byte in bytes {
    if byte >= 0x80 { current = [byte] } else { current.append(byte) }
    guard let status = current.first, status >= 0x80 else { continue }
    let length = status & 0xF0 == 0xC0 || status & 0xF0 == 0xD0 ? 2 : 3
    if current.count == length {
      messages.append(current)
      current = [status]
    }
  }
  return messages
}

private func readBytes(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
  return bytes
}

private func writeBytes(_ bytes: [UInt8], to path: String) throws {
  guard let file = fopen(path, "w") else { throw Failure(call: "fopen \(path)") }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(call: "fwrite \(path)") }
}

private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}
