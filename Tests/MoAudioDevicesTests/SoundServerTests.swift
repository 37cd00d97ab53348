import Testing

@testable import MoAudioDevices

@Suite("Sound server behind default")
struct SoundServerTests {
  /// The output of PipeWire 0.3.65's `pw-cli ls Node`, shortened.
  private let nodes = """
    \tid 28, type PipeWire:Interface:Node/3
     \t\tobject.serial = "28"
     \t\tpriority.driver = "20000"
     \t\tnode.name = "Dummy-Driver"
    \tid 30, type PipeWire:Interface:Node/3
     \t\tobject.serial = "30"
     \t\tnode.description = "A sink for tests"
     \t\tnode.name = "momu-sink"
     \t\tmedia.class = "Audio/Sink"
    \tid 31, type PipeWire:Interface:Node/3
     \t\tnode.name = "alsa_output.pci-0000_00_1f.3.analog-stereo"
     \t\tmedia.class = "Audio/Sink"
    \tid 32, type PipeWire:Interface:Node/3
     \t\tnode.name = "alsa_input.pci-0000_00_1f.3.analog-stereo"
     \t\tmedia.class = "Audio/Source"
    """
  private let metadata = """
    Found "default" metadata 34
    update: id:0 key:'default.audio.sink' value:'{"name":"momu-sink"}' type:'Spa:String:JSON'
    """
  /// The output of PulseAudio 16.1's `pactl list sinks`, shortened.
  private let sinks = """
    Sink #0
    \tState: SUSPENDED
    \tName: momu-sink
    \tDescription: Null Output
    \tDriver: module-null-sink.c
    Sink #1
    \tName: alsa_output.usb
    \tDescription: Scarlett 2i2 USB
    """

  private func asked(_ answers: [String: String]) -> ([String]) -> String? {
    { words in answers[words.joined(separator: " ")] }
  }

  @Test("lists PipeWire's sinks by its own tools, without sources and drivers")
  func pipeWire() {
    let server = SoundServer(
      type: "pipewire", run: asked(["pw-cli ls Node": nodes, "pw-metadata 0 default.audio.sink": metadata]))
    #expect(
      server.sinks == [
        .init(name: "momu-sink", title: "A sink for tests", isDefault: true),
        .init(
          name: "alsa_output.pci-0000_00_1f.3.analog-stereo",
          title: "alsa_output.pci-0000_00_1f.3.analog-stereo", isDefault: false),
      ])
    #expect(server.option(for: server.sinks[0]) == "pipewire:NODE=momu-sink")
    #expect(server.devices().first?.name == "default")
    #expect(server.devices().first?.about == "PipeWire, now on A sink for tests")
  }

  @Test("lists PulseAudio's sinks, and PipeWire's by PulseAudio's tools if its own are missing")
  func pulse() {
    let run = asked(["pactl list sinks": sinks, "pactl get-default-sink": "alsa_output.usb\n"])
    for type in ["pulse", "pipewire"] {
      let server = SoundServer(type: type, run: run)
      #expect(
        server.sinks == [
          .init(name: "momu-sink", title: "Null Output", isDefault: false),
          .init(name: "alsa_output.usb", title: "Scarlett 2i2 USB", isDefault: true),
        ])
    }
    #expect(
      SoundServer(type: "pulse", run: run).devices().first?.about == "PulseAudio, now on Scarlett 2i2 USB")
  }

  @Test("lists default without sinks if the server does not answer")
  func silent() {
    let server = SoundServer(type: "pipewire") { _ in nil }
    #expect(server.sinks.isEmpty)
    #expect(server.devices().map(\.name) == ["default"])
    #expect(server.devices().first?.about == "PipeWire, which names no sink")
  }

  @Test("runs its tools in English, for two seconds at most")
  func tools() {
    #expect(SoundServer.ask(["printenv", "LC_ALL"]) == "C\n")
    #expect(SoundServer.ask(["false"]) == nil)
    #expect(SoundServer.ask(["momu-no-such-tool"]) == nil)
    #expect(SoundServer.ask(["sleep", "1000"]) == nil)
  }
}
