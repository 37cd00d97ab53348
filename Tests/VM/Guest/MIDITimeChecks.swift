import CALSA
import Glibc
import MoMIDI
import MoMu
import Synchronization

func checkSpacing(_ raw: RawMIDI, _ report: Report) throws {
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

/// From the kernel's stamp of a key to the block: each key sounds at the latest in the first block whose callback starts
/// more than 1 ms after the stamp.
func checkHeard(_ raw: RawMIDI, _ report: Report) throws {
  let strike = MoTrigger()
  let stamps = Mutex<[HostTime]>([])
  let starts = MoQueue<HostTime>(capacity: 8192)
  let hits = MoQueue<HostTime>(capacity: 64)
  let token = try MoMIDI.onNote { note in
    guard note.velocity > 0 else { return }
    stamps.withLock { $0.append(note.time) }
    strike.fire(note.velocity, at: note.time)
  }
  defer { token.cancel() }
  try MoAudio.start(device: "hw:Loopback,0,0", blockFrames: 256, outputs: 2) { block in
    let start = SystemClock().now
    starts.push(start)
    for frame in block.frames where strike.due(at: block.time(frame)) != nil { hits.push(start) }
  }
  pause(0.5)
  for key in UInt8(40)..<60 {
    try raw.send([0x90, key, 100, 0x80, key, 0])
    pause(0.0613)
  }
  pause(0.5)
  MoAudio.stop()
  MoMIDI.stop()
  var (begun, sounded): ([HostTime], [HostTime]) = ([], [])
  while let start = starts.pop() { begun.append(start) }
  while let hit = hits.pop() { sounded.append(hit) }
  let fired = stamps.withLock { $0 }
  let late = zip(fired, sounded).filter { stamp, start in
    start > begun.first { $0.seconds(since: stamp) > 0.001 } ?? .distantFuture
  }
  report.check(
    "each of 20 keys sounds in the first block that begins 1 ms after its stamp",
    fired.count == 20 && sounded.count == 20 && late.isEmpty,
    "\(fired.count) keys, \(sounded.count) sounds, \(late.count) late")
  let delays = zip(fired, sounded).map { $1.seconds(since: $0) * 1000 }
  report.note("key to block, ms: \(delays.map { ($0 * 10).rounded() / 10 })")
}

/// Leads the virtual card, and takes the arrivals that amidi reports: seconds of CLOCK_MONOTONIC_RAW.
func checkClock(_ raw: RawMIDI, _ report: Report) throws {
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
func checkLengths(_ report: Report) throws {
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
