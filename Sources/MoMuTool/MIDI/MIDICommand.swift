import ArgumentParser
import MoCore
import MoMIDI
import MoRuntime

/// `momu midi`: MIDI from the terminal.
struct MIDICommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "midi", abstract: "List, hear, send, record, play, inspect and convert MIDI (Docs/MIDI.md).",
    subcommands: [
      MIDIListCommand.self, MIDIListenCommand.self, MIDISendCommand.self, MIDIRecordCommand.self,
      MIDIPlayCommand.self, MIDIInspectCommand.self, MIDIConvertCommand.self, MIDIGesturesCommand.self,
      MIDIClockCommand.self, MIDIBridgeCommand.self, MIDIPanicCommand.self,
    ])

  /// Waits until all MIDI messages are sent, or until the user ends the program.
  static func finishSending(_ stop: StopWait) {
    let clock = SystemClock()
    while !stop.wait(until: clock.now + .milliseconds(20)), MIDIServer.shared.isSending {}
  }

  /// Prints the number of received SysEx messages that were dropped; prints nothing if the number is 0.
  static func reportDroppedSysEx(_ count: Int) {
    guard count > 0 else { return }
    printDiagnostic(
      "dropped \(counted(count, "SysEx message")): cut off, longer than 128 KiB, or without a beginning")
  }

  /// Creates this program's `Run` from options of a MoMu program, such as `--midi=all`, and sets `Run.current` to it.
  ///
  /// - Parameters:
  ///   - words: the options.
  ///   - name: the name of this program's client in the ALSA sequencer.
  /// - Throws: `OptionError`.
  static func begin(_ words: [String], name: String = "MoMu") throws -> Run {
    let run = Run(try RunOptions(arguments: words, environment: Run.environment()))
    Run.begin(run)
    MIDIServer.shared.clientName = name
    return run
  }
}

/// The options `--to` and `--channel`: the port to which messages are sent, and their channel.
struct MIDITargetOptions: ParsableArguments {
  // `--midi-out` has another text than in other programs, since here its user sends to a device, not to a file.
  @Option(
    name: [.customLong("to"), .customLong("midi-out")],
    help: ArgumentHelp(
      "Port to send to (default: what is connected to MoMu).", valueName: "PORT"))
  var midiOut: String?

  // `--channel` has another text than `--midi-channel`, since it does not choose the channel to read.
  @Option(help: ArgumentHelp("The channel, 1 to 16.", valueName: "N"))
  var channel: Int = 1

  func validate() throws {
    guard (1...16).contains(channel) else { throw ValidationError("\(MIDIError.badChannel(channel))") }
  }

  /// The options as the arguments `--midi-out=TARGET` and `--midi-channel=N`, which a MoMu program understands.
  var arguments: [String] { sharedArguments + ["--midi-channel=\(channel)"] }
}
