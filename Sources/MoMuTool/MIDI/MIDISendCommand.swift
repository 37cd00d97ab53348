import ArgumentParser
import Glibc
import MIDICore
import MoCore
import MoMIDI
import MoMu

/// `momu midi send`: sends one message.
struct MIDISendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send one message.",
    discussion: """
      A message is: \(MIDIWords.forms)

        momu midi send --to FLUID note C4
        momu midi send --to FLUID --channel 2 cc 74 100
        momu midi send --to FLUID sysex F0 7E 7F 09 01 F7
      """)

  @OptionGroup var to: MIDITargetOptions

  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The message.", valueName: "WORD"))
  var words: [String]

  func run() throws {
    // Words are taken as they are, since a bend may be negative; so the parser does not see a request for help.
    if ["--help", "-h"].contains(words.first) { throw CleanExit.helpRequest(self) }
    let order = try MIDIWords.order(words, channel: MIDIChannel(exactly: to.channel - 1) ?? 0)
    let run = try MIDICommand.begin(["--midi=none", "--quiet"] + to.arguments)
    try MIDIServer.shared.startOutput(in: run)
    if to.midiOut == nil { usleep(Self.connectDelay) }
    switch order {
    case .message(let message): try MoMIDI.send(message)
    case .note(let key, let velocity, let seconds):
      try MoMIDI.playNote(
        key, velocity: Float(velocity) / 127, length: .seconds(seconds), channel: to.channel)
    case .sysEx(let bytes):
      try MoMIDI.sysEx(bytes)
    }
    MIDICommand.finishSending(StopWait())
    // What was sent stays: a note-on that is sent alone is meant to sound.
    if case .message = order { return MIDIServer.shared.leave() }
    MoMIDI.stop()
  }

  /// The pause before the message is sent, in microseconds; in this time, other programs can connect to MoMu's new
  /// port.
  private static let connectDelay: UInt32 = 300_000
}
