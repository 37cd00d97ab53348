import ArgumentParser
import MIDICore
import MoInstruments
import MoMIDI
import MoMu
import MoRuntime

/// `momu midi inspect`: shows the contents of a MIDI file.
struct MIDIInspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what is in a MIDI file: tracks, channels, notes, tempo, what is wrong.")

  @Flag(help: "Print one JSON object.")
  var json = false

  @Argument(help: ArgumentHelp("The file.", valueName: "FILE.mid"))
  var file: String

  func run() throws {
    let song = try MIDIFileScore.read(file)
    let report = MIDIFileReport(song)
    show(json ? report.json : report.text(path: file))
    for remark in song.remarks { printDiagnostic("\(file): \(remark)") }
  }
}

/// The contents of a MIDI file, for `momu midi inspect`.
struct MIDIFileReport: Equatable {
  /// The contents of a track.
  struct Track: Equatable {
    var name: String?
    var channels: [Int] = []
    var notes = 0
    var keys: ClosedRange<Int>?
    var messages = 0
    var sysEx = 0
    var seconds = 0.0
  }

  var format: Int
  var division: String
  var seconds: Double
  /// The tempos of the file, in order; empty if the file counts time-code frames instead of quarter notes.
  var tempos: [Tempo]
  var meters: [String]
  var tracks: [Track]

  /// A tempo, in quarter notes a minute, and the time at which it begins, in seconds.
  struct Tempo: Equatable {
    var seconds: Double
    var tempo: Double
  }

  init(_ file: MIDIFile) {
    format = file.format.rawValue
    division =
      switch file.division {
      case .ticksPerQuarter(let ticks): "\(ticks) ticks a quarter note"
      case .timeCode(let rate, let ticks): "\(rate.rawValue) frames a second, \(ticks) ticks each"
      }
    seconds = file.seconds
    tempos = file.tempoMap().stretches.compactMap { stretch in
      stretch.tempo.map { Tempo(seconds: stretch.seconds, tempo: $0) }
    }
    meters = file.meters().map { "\($0.beats)/\($0.unit)" }
    tracks = file.tracks.enumerated().map { index, track in
      Track(track, seconds: file.tempoMap(ofTrack: index).seconds(at: track.end))
    }
  }

  func text(path: String) -> String {
    let speeds = tempos.prefix(8).map { "\(rounded($0.tempo)) from \(rounded($0.seconds)) s" }
    let more = tempos.count > 8 ? ", and \(tempos.count - 8) more" : ""
    var lines = [
      "\(path): format \(format), \(division), \(rounded(seconds)) s",
      tempos.isEmpty
        ? "no tempo: time code" : "quarter notes a minute: \(speeds.joined(separator: ", "))\(more)",
    ]
    if !meters.isEmpty { lines.append("meter: \(meters.prefix(8).joined(separator: ", "))") }
    for (index, track) in tracks.enumerated() {
      let keys = track.keys.map {
        ", \(NoteText.name(Float($0.lowerBound))) to \(NoteText.name(Float($0.upperBound)))"
      }
      let channels =
        track.channels.isEmpty
        ? "no channel"
        : "channel\(track.channels.count > 1 ? "s" : "") \(track.channels.map(String.init).joined(separator: ", "))"
      lines.append(
        "track \(index + 1)\(track.name.map { " \"\($0.printable)\"" } ?? ""): \(channels), "
          + "\(counted(track.notes, "note"))\(keys ?? ""), \(counted(track.messages, "message")), "
          + "\(track.sysEx) SysEx, \(rounded(track.seconds)) s")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: String {
    JSONValue.object([
      ("format", .integer(Int64(format))), ("division", .text(division)), ("seconds", .number(seconds)),
      (
        "tempos",
        .list(tempos.map { .object([("seconds", .number($0.seconds)), ("tempo", .number($0.tempo))]) })
      ),
      ("meters", .list(meters.map { .text($0) })),
      (
        "tracks",
        .list(
          tracks.map { track in
            .object([
              ("name", track.name.map { .text($0) } ?? .null),
              ("channels", .list(track.channels.map { .integer(Int64($0)) })),
              ("notes", .integer(Int64(track.notes))),
              ("messages", .integer(Int64(track.messages))), ("sysEx", .integer(Int64(track.sysEx))),
              ("seconds", .number(track.seconds)),
            ])
          })
      ),
    ]).description + "\n"
  }
}

extension MIDIFileReport.Track {
  fileprivate init(_ track: MIDITrack, seconds: Double) {
    self.seconds = seconds
    name = track.name
    var used = Set<Int>()
    for event in track.events {
      switch event.content {
      case .message(let message):
        messages += 1
        if let channel = message.channel { used.insert(channel.number) }
        guard case .noteOn(_, let key, let velocity) = message, velocity > 0 else { continue }
        notes += 1
        let number = Int(key.value)
        keys = keys.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
      case .sysEx: sysEx += 1
      case .escape, .meta: break
      }
    }
    channels = used.sorted()
  }
}
