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
    if to.target == nil { usleep(Self.patience) }
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
  private static let patience: UInt32 = 300_000
}

/// `momu midi panic`: ends all notes of a port, or of all ports that receive.
struct MIDIPanicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panic",
    abstract: "End every note on every channel of a port, or of all ports that receive.",
    discussion:
      "Sends each channel the note-offs of all keys, then the pedals, then controllers 120, 121 and 123.")

  @Argument(help: ArgumentHelp("A port's name; left out, all that receive.", valueName: "PORT"))
  var port: String?

  func run() throws {
    let server = MIDIServer.shared
    _ = try MIDICommand.begin(["--quiet"])
    let names =
      try port.map { [$0] }
      ?? server.ports().filter(\.receives).map { "\($0.address.client):\($0.address.port)" }
    guard !names.isEmpty else {
      complain("no MIDI port receives: there is nothing to silence")
      return
    }
    for name in names {
      let run = try MIDICommand.begin(["--midi=none", "--quiet", "--midi-out=\(name)"])
      try server.startOutput(in: run)
      let start = run.clock.now
      var bytes = 0
      for message in Self.messages {
        // At a cable's pace: gear with a small buffer would lose the last ones.
        try server.send(.message(message), at: start.advanced(bySeconds: Double(bytes) / 3125), in: run)
        bytes += message.bytes.count
      }
      MIDICommand.finishSending(StopWait())
      MoMIDI.stop()
    }
  }

  /// The messages that end all notes, on all channels; all of them are sent, since a receiver may understand only some.
  static let messages: [MIDIMessage] = (UInt8(0)..<16).flatMap { index -> [MIDIMessage] in
    let channel = MIDIChannel(lowBitsOf: index)
    let controls: [MIDIMessage] = [64, 66, 67, 69, 120, 121, 123].map { .control(channel, $0, 0) }
    return (UInt8(0)..<128).map { .noteOff(channel, MIDIUInt7(lowBitsOf: $0), velocity: 64) } + controls
  }
}
