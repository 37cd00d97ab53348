import MIDICore
import MoCore
import MoMIDI
import MoRuntime
import Testing

@Suite("MIDI names, options and errors")
struct MIDINameTests {
  private let ports: [MIDIPort] = [.nano, .launch, .synth]

  @Test(
    "finds a port by its name, its client's name, a part of either, or its numbers",
    arguments: ["nanoKEY2 MIDI 1", "nanokey2", "nano", "24:0", "24"])
  func found(_ text: String) {
    #expect(MIDIPortName(text).matches(in: ports) == [.nano])
  }

  @Test("a port's exact name does not match ports that contain it")
  func exact() {
    var second = MIDIPort.nano
    second.name = "nanoKEY2 MIDI 1 extra"
    second.address.port = 1
    #expect(MIDIPortName("nanoKEY2 MIDI 1").matches(in: [second, .nano]) == [.nano])
  }

  @Test("an unknown port's error names the nearest, or all existing ones")
  func unknown() {
    let near = MIDIPortName("nanoKEI2").error(option: "midi", ports: ports)
    #expect("\(near)".contains("did you mean --midi \"nanoKEY2\"?"))
    let far = MIDIPortName("qwertz").error(option: "midi-out", ports: ports)
    #expect("\(far)".contains("use --midi-out with \"nanoKEY2 MIDI 1\", \"Launchkey Mini MIDI 1\""))
    let none = MIDIPortName("nano").error(option: "midi", ports: [])
    #expect("\(none)".contains("no device is connected"))
  }

  @Test(
    "the value of --midi is optional",
    arguments: [
      (["--midi"], "all"), (["--midi", "--quiet"], "all"), (["--midi", "nano"], "nano"), (["--midi=x"], "x"),
    ])
  func optional(_ words: [String], _ value: String) throws {
    #expect(try RunOptions(arguments: words).midi == value)
  }

  @Test(
    "invalid options give errors with the valid values",
    arguments: [
      (["--midi-channel", "17"], "from 1 to 16"), (["--midi-channel", "0"], "from 1 to 16"),
      (["--midi-trim", "x"], "milliseconds from -1000 to 1000"), (["--midi-out"], "--midi-out needs a value"),
    ])
  func wrong(_ words: [String], _ text: String) {
    let error = #expect(throws: OptionError.self) { try RunOptions(arguments: words) }
    #expect("\(error!)".contains(text))
  }

  @Test(
    "refuses an invalid source, and lists the valid forms",
    arguments: ["sim:tuba", "tape:", "file:", "file:song.mid?speed=2", "file:song.mid?track=0", ""])
  func refused(_ text: String) {
    let error = #expect(throws: MIDIError.self) { try MIDISourceName(text) }
    #expect("\(error!)".contains("is not a source for --midi: use "))
  }

  @Test("parses sources as typed")
  func sources() throws {
    #expect(try MIDISourceName("all") == .keyboards)
    #expect(try MIDISourceName("none") == .nothing)
    #expect(try MIDISourceName("file:a b.mid?track=2") == .file("a b.mid", track: 2))
    #expect(try MIDISourceName("file:Who?.mid") == .file("Who?.mid", track: nil))
    #expect(try MIDISourceName("file:Who?.mid?track=2") == .file("Who?.mid", track: 2))
    #expect(try MIDISourceName("tape:x.osc") == .tape("x.osc"))
    #expect(try MIDISourceName("sim:chords") == .simulated(.chords))
    #expect(try MIDISourceName("Midi: Fighter") == .port(MIDIPortName("Midi: Fighter")))
    #expect(try MIDITargetName("file:take.mid") == .file("take.mid"))
  }

  @Test("a missing sequencer, permission or client number gives an error with what to type")
  func system() {
    #expect("\(MIDIError.noSequencer(reason: "No such file or directory"))".contains("sudo modprobe snd-seq"))
    #expect("\(MIDIError.noPermission)".contains("usermod -aG audio"))
    #expect("\(MIDIError.clientsTaken)".contains("aconnect -l"))
    #expect("\(MIDIError.badChannel(17))".contains("1 to 16"))
  }
}
