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

  @Option(
    help: ArgumentHelp("Accelerometer: evdev:PATH, iio:N, keys, net, sim:shake, …", valueName: "SOURCE"))
  var accel: String?

  @Option(help: ArgumentHelp("The rules; read again whenever the file is saved.", valueName: "FILE"))
  var mapping: String?

  @Option(
    help: ArgumentHelp("Delay of MIDI out; negative is earlier.", valueName: "MS")
  )
  var midiTrim: String?

  @Option(help: ArgumentHelp("Stop after this time.", valueName: "SECONDS"))
  var seconds: String?

  @Flag(help: "Faster than real time, from a tape into a MIDI file.")
  var offline = false

  @Flag(help: "Print a line per event, for screen readers.")
  var plain = false

  @Flag(help: "No meter and no notices.")
  var quiet = false

  func run() throws {
    var words = ["momu midi gestures"] + to.arguments
    for (flag, value) in [("--accel", accel), ("--midi-trim", midiTrim), ("--seconds", seconds)] {
      if let value { words.append("\(flag)=\(value)") }
    }
    for (flag, isSet) in [("--offline", offline), ("--plain", plain), ("--quiet", quiet)] where isSet {
      words.append(flag)
    }
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
