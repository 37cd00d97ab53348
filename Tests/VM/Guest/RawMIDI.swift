import Glibc

/// The virtual MIDI card; `amidi` of alsa-utils plays and records at its other side.
struct RawMIDI {
  /// The name of its first port in the sequencer.
  let port: String
  /// The file of its other side, to which a keyboard's bytes can be written.
  let device: String

  init() throws {
    var text = [CChar](repeating: 0, count: 64)
    guard readlink("/proc/asound/VirMIDI", &text, 63) > 0 else {
      throw Failure(call: "readlink /proc/asound/VirMIDI")
    }
    let card = text.compactMap { (48...57).contains($0) ? String(UnicodeScalar(UInt8($0))) : nil }.joined()
    (port, device) = ("VirMIDI \(card)-0", "/dev/snd/midiC\(card)D0")
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

  /// Returns the messages that are sent to the card during `play`, with running status expanded.
  ///
  /// When `amidi` reads too slowly, as on a busy computer, the kernel drops bytes and counts the overruns. Such a
  /// recording shows nothing about MoMu, and is made again.
  func recording(_ report: Report, during play: () throws -> Void) throws -> [[UInt8]] {
    let path = "/tmp/recording.bin"
    for _ in 0..<5 {
      let recorder = try record(to: path)
      try play()
      pause(0.5)
      let overruns = printed(in: "/proc/asound/VirMIDI/midi0").split(separator: "\n").filter {
        $0.contains("Overruns")
      }
      kill(recorder, SIGINT)
      try finish(recorder)
      guard overruns.count == 1 else { throw Failure(call: "read /proc/asound/VirMIDI/midi0") }
      if overruns[0].hasSuffix(": 0") { break }
      report.note("amidi read too slowly: \(overruns[0])")
    }
    return expanded(readBytes(path))
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
func randomMessages(_ count: Int) -> [[UInt8]] {
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

/// Returns the number of the messages in `found` and the first difference from the messages in `sent`.
func difference(_ sent: [[UInt8]], _ found: [[UInt8]]) -> String {
  let index = zip(sent, found).enumerated().first { $1.0 != $1.1 }?.offset ?? min(sent.count, found.count)
  let around = max(0, index - 2)..<(index + 6)
  return "\(found.count) of \(sent.count) arrived; from message \(around.lowerBound): "
    + "sent \(sent.dropFirst(around.lowerBound).prefix(around.count)), "
    + "found \(found.dropFirst(around.lowerBound).prefix(around.count))"
}

func longDump() -> [UInt8] { [0xF0] + (0..<65_534).map { UInt8($0 * 7 % 128) } + [0xF7] }

/// Returns the messages of a stream, with running status expanded.
func expanded(_ bytes: [UInt8]) -> [[UInt8]] {
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

func readBytes(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
  return bytes
}

func writeBytes(_ bytes: [UInt8], to path: String) throws {
  guard let file = fopen(path, "w") else { throw Failure(call: "fopen \(path)") }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(call: "fwrite \(path)") }
}

func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}
