import ArgumentParser
import MIDICore
import MoCore
import MoMIDI
import MoMu

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
      printDiagnostic("no MIDI port receives: there is nothing to silence")
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
