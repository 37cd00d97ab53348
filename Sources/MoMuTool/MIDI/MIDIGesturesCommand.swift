import ArgumentParser
import MoInstruments
import MoMIDI
import MoMu

/// `momu midi gestures`: converts movement to MIDI.
struct MIDIGesturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gestures", abstract: "Play MIDI with movement: tilt to controllers, shakes to notes.",
    discussion: """
      Without a mapping, tilting to the sides moves controller 11, tilting forth and back bends, and a shake plays a \
      note. A mapping's targets are cc0 to cc119, pressure, note, strike, gate and bend:

        tilt-roll -45..45 -> cc11
        tilt-pitch -45..45 -> note 60..72 in minor-pentatonic A3
        jerk -> strike 0.3..1

        momu midi gestures --accel net --mapping tilt.map --to FLUID
      """)

  @OptionGroup var to: MIDITargetOptions

  @Option(help: .shared("accel")) var accel: String?
  @Option(help: .playing("mapping")) var mapping: String?
  @Option(parsing: .unconditional, help: .shared("midi-trim")) var midiTrim: String?
  @Option(help: .shared("seconds")) var seconds: String?
  @Flag(help: .shared("offline")) var offline = false
  @Flag(help: .shared("plain")) var plain = false
  @Flag(help: .shared("quiet")) var quiet = false

  func run() throws {
    let words = ["momu midi gestures"] + to.arguments + sharedArguments
    MIDIServer.shared.clientName = "MoMu gestures"
    MoApp.run("Plays MIDI with movement.", arguments: words) {
      let gestures =
        try mapping.map { (path) throws in try MoMIDI.gestures(mappingFile: path) }
        ?? MoMIDI.gestures(MoMIDI.usualGestures)
      if let mapping {
        let run = Run.current
        nonisolated(unsafe) let file = try MappingFile(mapping, at: run.clock.now) {
          path throws(MappingError) in try gestures.readMapping(file: path)
        }
        if !run.isOffline { try run.input.add(file) { _ in } }
      }
      try MoAccel.addCallback { gestures.move($0) }
    }
  }
}
