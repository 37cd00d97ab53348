import Glibc
import MIDICore
import Testing

/// Real songs: Debian's package openttd-openmsx, or the folder in `MOMU_MIDI_FILES`.
let songFolder =
  getenv("MOMU_MIDI_FILES").map { String(cString: $0) } ?? "/usr/share/games/openttd/baseset/openmsx"
let songs: [String] = shell("ls '\(songFolder)'/*.mid 2>/dev/null").text.split(separator: "\n").map(
  String.init)

private let hasMido = succeeds("PYTHONPATH='\(pythonFolder)':$PYTHONPATH python3 -c 'import mido'")
private let hasMidicsv = succeeds("command -v midicsv")

@Suite(
  "MIDI files of other programs", .enabled(if: !songs.isEmpty, "install openttd-openmsx, which has 31 songs"))
struct OutsideFileTests {
  /// The file's events, in the format of `files.py`.
  private func lines(_ file: MIDIFile, hasTime: Bool) throws -> [String] {
    file.tracks.enumerated().flatMap { index, track -> [String] in
      let map = file.tempoMap(ofTrack: index)
      let events = track.events.map { ($0.tick, bytes($0.content)) } + [(track.end, [0xFF, 0x2F])]
      return events.map { tick, bytes in
        let time = hasTime ? " \(map.seconds(at: tick))" : ""
        return "\(index + 1) \(tick) " + bytes.map { digits($0) }.joined() + time
      }
    }
  }

  private func digits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private func bytes(_ content: MIDIFileEvent.Content) -> [UInt8] {
    switch content {
    case .message(let message):
      var bytes: [UInt8] = []
      message.bytes.append(to: &bytes)
      return bytes
    case .sysEx(let data): return [0xF0] + data
    case .escape(let data): return [0xF7] + data
    case .meta(let type, let data): return [0xFF, type.value] + data
    }
  }

  private func read(_ path: String) throws -> MIDIFile {
    try MIDIFile(bytes: readFile(path) ?? [])
  }

  private func expect(_ said: String, hasTime: Bool) throws {
    var found = 0
    for part in said.split(separator: "file ") {
      let outside = part.split(separator: "\n")
      let ours = try lines(read(String(outside[0])), hasTime: hasTime)
      let theirs = outside.dropFirst().map(String.init)
      let first = zip(ours, theirs).first { !isSame($0, $1, hasTime: hasTime) }
      #expect(
        first == nil && ours.count == theirs.count,
        "\(outside[0]) \(ours.count) \(theirs.count) \(String(describing: first))")
      found += 1
    }
    #expect(found == songs.count, "\(said.suffix(300))")
  }

  /// Whether two lines are equal; times, which are sums of fractions, to a nanosecond.
  private func isSame(_ ours: String, _ theirs: String, hasTime: Bool) -> Bool {
    guard hasTime, ours != theirs else { return ours == theirs }
    let (left, right) = (ours.split(separator: " "), theirs.split(separator: " "))
    guard left.count == 4, right.count == 4, left[..<3] == right[..<3],
      let mine = Double(left[3]), let other = Double(right[3])
    else { return false }
    return abs(mine - other) < 1e-9
  }

  @Test("have exactly the events and times that mido reads", .enabled(if: hasMido, "needs mido"))
  func mido() throws {
    let list = songs.map { "'\($0)'" }.joined(separator: " ")
    let run = shell(
      "PYTHONPATH='\(pythonFolder)':$PYTHONPATH python3 '\(outsideFolder)/files.py' mido \(list)")
    try expect(run.text, hasTime: true)
  }

  @Test("have exactly the events that midicsv reads", .enabled(if: hasMidicsv, "needs midicsv"))
  func midicsv() throws {
    let list = songs.map { "'\($0)'" }.joined(separator: " ")
    let run = shell("python3 '\(outsideFolder)/files.py' midicsv \(list)")
    try expect(run.text, hasTime: false)
  }

  @Test("keep their events when they are written and read again")
  func roundTrip() throws {
    for song in songs {
      let file = try read(song)
      var again = try MIDIFile(bytes: file.bytes())
      again.remarks = file.remarks
      #expect(again == file, "\(song)")
      #expect(!file.tracks.isEmpty && file.seconds > 10, "\(song)")
    }
  }

  @Test(
    "as MoMu writes them have exactly the events and times of the originals, for mido and midicsv",
    .enabled(if: hasMido && hasMidicsv, "needs mido and midicsv"))
  func written() throws {
    for song in songs {
      try withFile(try read(song).bytes()) { copy in
        for reader in ["mido", "midicsv"] {
          let said = [song, copy].map { path in
            shell(
              "PYTHONPATH='\(pythonFolder)':$PYTHONPATH python3 '\(outsideFolder)/files.py' \(reader) '\(path)' | tail -n +2"
            ).text
          }
          #expect(said[0] == said[1] && said[0].count > 1000, "\(song), read by \(reader)")
        }
      }
    }
  }

  @Test("give an error or a remark when truncated anywhere, and never a crash")
  func truncated() throws {
    let bytes = try #require(readFile(songs[0]))
    for length in stride(from: 0, to: bytes.count - 1, by: 97) {
      do {
        let file = try MIDIFile(bytes: bytes[..<length])
        #expect(!file.remarks.isEmpty, "\(length)")
      } catch {
        #expect(error.description.contains("at byte"), "\(length)")
      }
    }
  }
}
