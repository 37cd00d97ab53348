import MIDICore
import Testing

/// The format 1 example of *Standard MIDI Files 1.0*, with the tracks and lengths printed there.
private let specificationExample =
  "4D546864 00000006 0001 0004 0060"
  + "4D54726B 00000014 00FF580404021808 00FF510307A120 8300FF2F00"
  + "4D54726B 00000010 00C005 8140904C20 8140 4C00 00FF2F00"
  + "4D54726B 0000000F 00C12E 6091 4340 8220 4300 00FF2F00"
  + "4D54726B 00000015 00C246 00923060 003C60 8300 3000 003C00 00FF2F00"

@Suite("MIDI files")
struct FileTests {
  private func text(_ error: () throws -> Void) -> String {
    do {
      try error()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  private func reading(_ digits: String) -> String { text { _ = try MIDIFile(bytes: hex(digits)) } }

  @Test("read the specification's example")
  func example() throws {
    let file = try MIDIFile(bytes: hex(specificationExample))
    #expect(file.format == .together && file.division == .ticksPerQuarter(96) && file.remarks.isEmpty)
    #expect(file.meters() == [MIDIMeter(tick: 0, beats: 4, unit: 4, clocksPerClick: 24)])
    #expect(file.tempoMap().stretches.map(\.tempo) == [120])
    #expect(
      file.tracks[1].events.map(\.content) == [
        .message(.program(0, 5)), .message(.noteOn(0, 76, velocity: 32)),
        .message(.noteOn(0, 76, velocity: 0)),
      ])
    #expect(file.tracks[1].events.map(\.tick) == [0, 192, 384])
    #expect(file.tracks.map(\.end) == [384, 384, 384, 384])
    #expect(file.seconds == 2)
  }

  @Test("convert tempo changes to times, also for the second track")
  func tempoMap() throws {
    let slow = MIDIFileEvent(96, .meta(0x51, [0x0F, 0x42, 0x40]))
    let fast = MIDIFileEvent(192, .meta(0x51, [0x03, 0xD0, 0x90]))
    let file = MIDIFile(
      format: .together, division: .ticksPerQuarter(96),
      tracks: [MIDITrack([fast]), MIDITrack([slow], end: 288)])
    let map = file.tempoMap()
    #expect([0, 96, 144, 192, 288].map { map.seconds(at: $0) } == [0, 0.5, 1, 1.5, 1.75])
    for tick in stride(from: 0, to: 500, by: 7) {
      #expect(abs(map.tick(at: map.seconds(at: tick)) - Double(tick)) < 1e-9)
    }
    var separate = file
    separate.format = .separate
    #expect(separate.tempoMap(ofTrack: 1).seconds(at: 288) == 2.5)
  }

  @Test(
    "convert time code to times",
    arguments: [("E764", 25 * 100), ("E808", 24 * 8), ("E250", 30 * 80)])
  func timeCode(division: String, ticks: Int) throws {
    let file = try MIDIFile(bytes: hex("4D546864 00000006 0000 0001 \(division) 4D54726B 00000004 00FF2F00"))
    #expect(abs(file.tempoMap().seconds(at: ticks) - 1) < 1e-12)
    #expect(try file.bytes() == hex("4D546864 00000006 0000 0001 \(division) 4D54726B 00000004 00FF2F00"))
  }

  @Test("treat 29 frames as 29.97")
  func dropFrames() throws {
    let file = MIDIFile(
      format: .single, division: .timeCode(.drop, ticksPerFrame: 4), tracks: [MIDITrack([], end: 120_000)])
    #expect(abs(file.seconds - 1001) < 1e-9)
  }

  @Test("keep unknown meta events, SysEx in packets, escapes, and names in UTF-8 and Latin-1")
  func kept() throws {
    let events: [MIDIFileEvent] = [
      MIDIFileEvent(0, .meta(0x03, Array("Flöte".utf8))), MIDIFileEvent(0, .meta(0x6A, [1, 2])),
      MIDIFileEvent(5, .sysEx([0x43, 0x12])), MIDIFileEvent(9, .escape([0x00, 0xF7])),
      MIDIFileEvent(300_000, .escape([0xF3, 0x01])), MIDIFileEvent(300_000, .meta(0x7F, [])),
      MIDIFileEvent(300_000, .sysEx([UInt8](repeating: 3, count: 200) + [0xF7])),
    ]
    for format in [MIDIFile.Format.single, .separate] {
      let file = MIDIFile(
        format: format, division: .ticksPerQuarter(480), tracks: [MIDITrack(events, end: 400_000)])
      #expect(try MIDIFile(bytes: file.bytes()) == file)
      #expect(file.tracks[0].name == "Flöte")
    }
    #expect(MIDITrack([MIDIFileEvent(0, .meta(3, [0x46, 0x6C, 0xF6]))]).name == "Flö")
  }

  @Test(
    "divide a time of 2²⁸ ticks or more before an event or an end by empty texts",
    arguments: [(MIDIFile.longestDelta, 0), (1 << 28, 1), (1 << 30, 4)])
  func longTimes(ticks: Int, texts: Int) throws {
    let event = MIDIFileEvent(ticks, .message(.program(0, 0)))
    let track = MIDITrack([event], end: 2 * ticks)
    let file = MIDIFile(format: .single, division: .ticksPerQuarter(960), tracks: [track])
    let read = try MIDIFile(bytes: file.bytes())
    #expect(read.remarks.isEmpty && read.tracks[0].end == 2 * ticks)
    #expect(read.tracks[0].events.filter { $0.content != .meta(0x01, []) } == [event])
    #expect(read.tracks[0].events.count == 1 + 2 * texts)
  }

  @Test("write system messages as escapes")
  func systemMessages() throws {
    let file = MIDIFile(
      format: .single, division: .ticksPerQuarter(1),
      tracks: [MIDITrack([MIDIFileEvent(0, .message(.songSelect(3)))])])
    #expect(try MIDIFile(bytes: file.bytes()).tracks[0].events == [MIDIFileEvent(0, .escape([0xF3, 3]))])
  }

  @Test("repair a longer header, unknown chunks, a wrong track count, a missing end, and bytes after the end")
  func mended() throws {
    let file = try MIDIFile(
      bytes: hex(
        "4D546864 00000008 0001 0005 0060 AABB 58464948 00000002 0102"
          + "4D54726B 00000003 05C105 4D54726B 00000006 00FF2F00 1234 0000"))
    #expect(file.tracks.count == 2 && file.tracks[0].end == 5)
    #expect(
      file.remarks.map(\.description) == [
        "the chunk XFIH at byte 16 was skipped", "track 1 has no end-of-track event",
        "track 2 has bytes behind its end, from byte 49", "from byte 51 on there is no chunk",
        "the header announces 5 tracks, the file has 2",
      ])
  }

  @Test("read from RIFF files")
  func riff() throws {
    let plain = hex(specificationExample)
    let size = UInt8(plain.count)
    let riff = Array("RIFF".utf8) + [size + 22, 0, 0, 0] + Array("RMIDLIST".utf8) + [1, 0, 0, 0, 7, 0]
    let whole = riff + Array("data".utf8) + [size, 0, 0, 0] + plain
    #expect(try MIDIFile(bytes: whole) == MIDIFile(bytes: plain))
    #expect(throws: MIDIFileError.self) { try MIDIFile(bytes: whole[..<24]) }
  }

  @Test("give errors with the byte and the reason if they are malformed")
  func errors() {
    #expect(reading("") == "not a MIDI file at byte 0: 0 bytes are too few for a header of 14")
    #expect(
      reading("4D5468640000000000") == "not a MIDI file at byte 8: the header has 0 bytes, fewer than 6")
    #expect(reading("52494646 00000000 57415645 00000000").contains("says RMID"))
    #expect(
      reading("4D546864 00000006 0003 0001 0060") == "not a MIDI file at byte 8: format 3 is none of 0, 1, 2")
    #expect(reading("4D546864 00000006 0001 0001 0000").contains("byte 12: the division 0"))
    #expect(reading("4D546864 00000006 0001 0001 F160").contains("byte 12: the division"))
    let track = "4D546864 00000006 0000 0001 0060 4D54726B "
    #expect(
      reading(track + "00000009 00")
        == "not a MIDI file at byte 18: the chunk MTrk takes 9 bytes and 1 are left")
    #expect(reading(track + "00000003 003C40").contains("byte 23: data byte 60 has no status byte before it"))
    #expect(reading(track + "00000006 00FF0100 3C40").contains("byte 27: data byte 64 has no status"))
    #expect(reading(track + "00000003 009040").contains("byte 25: a message is cut off"))
    #expect(reading(track + "00000004 009040FF").contains("byte 25: a data byte is 0…127, this one is 255"))
    #expect(
      reading(track + "00000005 8080808000").contains("byte 22: a delta time of track 1 has more than four"))
    #expect(reading(track + "00000005 00FF010561").contains("takes 5 bytes and 1 are left in its track"))
    #expect(reading(track + "00000002 00F8").contains("byte 23: status byte 248 has no place in a file"))
    #expect(reading("4D546864 00000006 0000 0000 0060").contains("format 0 has one track, this file has 0"))
  }

  @Test("give errors if they cannot be written")
  func unwritable() {
    func writing(_ track: MIDITrack, _ format: MIDIFile.Format = .single) -> String {
      text {
        _ = try MIDIFile(format: format, division: .ticksPerQuarter(1), tracks: [track, track]).bytes()
      }
    }
    #expect(writing(MIDITrack([])).contains("format 0 has one track, this file has 2"))
    let late = MIDIFileEvent(1 << 50, .message(.program(0, 0)))
    #expect(writing(MIDITrack([late]), .together).contains("is 1125899906842624, more than"))
    let early = MIDIFileEvent(0, .message(.program(0, 0)))
    #expect(writing(MIDITrack([late, early]), .together).contains("is 1125899906842624"))
    let first = MIDIFileEvent(9, .message(.program(0, 0)))
    #expect(
      writing(MIDITrack([first, early]), .together).contains("at tick 0, before the one above it, at 9"))
    #expect(writing(MIDITrack([MIDIFileEvent(0, .meta(0x2F, []))]), .together).contains("no event"))
  }
}
