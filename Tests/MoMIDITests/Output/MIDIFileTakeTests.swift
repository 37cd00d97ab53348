import Glibc
import MIDICore
import MoCore
import MoMIDI
import MoRuntime
import Testing

@Suite("A recorded MIDI file")
final class MIDIFileTakeTests {
  private let path: String

  init() {
    var template = Array("/tmp/momu-take-XXXXXX".utf8CString)
    path = (mkdtemp(&template).map { String(cString: $0) } ?? "") + "/take.mid"
  }

  deinit {
    unlink(path)
    rmdir(String(path.dropLast("/take.mid".count)))
  }

  private func time(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

  private func bytes() -> [UInt8] {
    guard let file = fopen(path, "r") else {
      Issue.record("cannot read \(path): \(String(cString: strerror(errno)))")
      return []
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_000_000)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  /// The notes of a file with their times, in order.
  private func notes(_ bytes: [UInt8]) throws -> [Double] {
    let file = try MIDIFile(bytes: bytes)
    let map = file.tempoMap()
    return file.tracks.flatMap { track in
      track.events.compactMap { event -> Double? in
        guard case .message(.noteOn) = event.content else { return nil }
        return map.seconds(at: event.tick)
      }
    }
  }

  /// Plays a note each 37 ms for as long as `body` wants, and calls it after each.
  private func play(_ take: MIDIFileDestination, until end: Double, _ body: (Double) throws -> Void) rethrows
  {
    var index = 0
    while Double(index) * 0.037 < end {
      let now = Double(index) * 0.037
      if let due = take.nextTime, due <= time(now) { take.service(until: now == 0 ? .zero : time(now)) }
      _ = take.send(.noteOn(0, MIDIUInt7(clamping: index % 128), velocity: 9), at: time(now))
      try body(now)
      index += 1
    }
  }

  @Test("has all but the last second at every moment")
  func lastSecond() throws {
    let take = try MIDIFileDestination(path: path, start: .zero, grows: true) { Issue.record("\($0)") }
    try play(take, until: 20) { now in
      guard now > 1.1 else { return }
      let found = try notes(bytes())
      #expect(try MIDIFile(bytes: bytes()).remarks.isEmpty)
      #expect((found.last ?? 0) > now - 1.08, "at \(now)")
      #expect(found.count == Int((found.last ?? 0) / 0.037 + 0.5) + 1)
    }
    take.close(at: time(20))
    let file = try MIDIFile(bytes: bytes())
    #expect(file.format == .single)
    #expect(try notes(bytes()).count == 541)
  }

  @Test("grows and closes after a silence of two days")
  func longSilence() throws {
    let take = try MIDIFileDestination(path: path, start: .zero, grows: true) { Issue.record("\($0)") }
    for start in [0, 172_800] {
      _ = take.send(.noteOn(0, 60, velocity: 9), at: time(Double(start)))
      take.service(until: time(Double(start + 1)))
    }
    #expect(try notes(bytes()).map { $0.rounded() } == [0, 172_800])
    take.close(at: time(345_600))
    #expect(try notes(bytes()).map { $0.rounded() } == [0, 172_800])
  }

  @Test("can be read after a kill between any two bytes that are written")
  func halfWritten() throws {
    let take = try MIDIFileDestination(path: path, start: .zero, grows: true) { Issue.record("\($0)") }
    var before: [UInt8] = []
    var pieces = 0
    try play(take, until: 5) { _ in
      let now = bytes()
      defer { before = now }
      guard before.count > 0, now.count > before.count else { return }
      pieces += 1
      // The piece is written first, and then the header's count of tracks.
      for length in before.count...now.count {
        let half = Array(before + now[before.count..<length])
        let (found, earlier) = (try notes(half).count, try notes(before).count)
        #expect(found >= earlier, "\(length) of \(now.count)")
      }
    }
    #expect(pieces >= 3)
  }

  @Test("becomes one track when it has very many pieces")
  func manyPieces() throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o644)
    let growing = GrowingMIDIFile(file, path: path)
    var events: [MIDIFileEvent] = []
    for index in 0..<(GrowingMIDIFile.mostPieces + 10) {
      let event = MIDIFileEvent(index, .message(.program(0, MIDIUInt7(clamping: index % 128))))
      #expect(growing.append([event], after: events[...]) == nil)
      events.append(event)
    }
    let read = try MIDIFile(bytes: bytes())
    #expect(read.remarks.isEmpty && read.tracks.count == 10)
    #expect(read.tracks.flatMap(\.events) == events)
  }

  @Test("in a pipe is written at its end, and the pipe stays a pipe")
  func pipe() throws {
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let take = try MIDIFileDestination(path: path, start: .zero, grows: true) { Issue.record("\($0)") }
    _ = take.send(.noteOn(0, 60, velocity: 9), at: .zero)
    take.service(until: time(2))
    take.close(at: time(3))
    var found = [UInt8](repeating: 0, count: 1000)
    found.removeLast(1000 - max(0, read(reader, &found, found.count)))
    #expect(try notes(found).count == 1)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test("that cannot be written has its end reported only if it cannot be written at its end either")
  func full() throws {
    let told = Collected<String>()
    let take = try MIDIFileDestination(path: path, start: .zero, grows: true) { told.add($0) }
    // The folder disappears, as a stick that is pulled does.
    unlink(path)
    rmdir(String(path.dropLast("/take.mid".count)))
    for index in 0..<10 {
      take.service(until: time(Double(index)))
      _ = take.send(.noteOn(0, 60, velocity: 9), at: time(Double(index)))
    }
    #expect(told.all.isEmpty)
    take.close(at: time(10))
    #expect(told.all.count == 1)
  }
}
