import MoAudioDevices
import Testing

@Suite("Target of ALSA's default", .serialized)
struct ALSADefaultTests {
  @Test(
    "is found through the plugins of a configuration, without their controls and microphones",
    arguments: [
      ("type hw card 2", ALSADefault.Destination.card("2")),
      ("type hw card PCH device 0", .card("PCH")),
      ("type plug slave.pcm { type hw card 3 }", .card("3")),
      ("type plug slave { pcm { type hw card 4 } rate 48000 }", .card("4")),
      // The plugins of alsa-lib's own configuration for an Intel card: mixing, volume and a microphone.
      (
        """
        type asym
        capture.pcm { type plug slave.pcm { type dsnoop slave { pcm { type hw card 6 } } } }
        playback.pcm { type plug slave.pcm { type softvol control { name PCM card 7 }
          slave.pcm { type dmix ipc_key 1 slave { pcm { type hw card 5 } } } } }
        """, .card("5")
      ),
      ("type plug slave.pcm \"momu_target\"", .card("8")),
      ("type pipewire playback_node \"-1\"", .server("pipewire")),
      ("type plug slave.pcm { type pulse }", .server("pulse")),
      ("type null", nil),
      ("type plug slave.pcm \"momu_nowhere\"", nil),
      ("type plug slave.pcm \"momu_circle\"", nil),
    ])
  func configurations(_ definition: String, _ destination: ALSADefault.Destination?) {
    ALSADefinitions.add(
      """
      pcm.!momu_target { type hw card 8 }
      pcm.!momu_circle { type plug slave.pcm "momu_circle" }
      pcm.!momu_default { \(definition) }
      """)
    #expect(ALSADefault.destination(of: "momu_default") == destination)
  }

  @Test("is nil for an unknown name")
  func unknown() { #expect(ALSADefault.destination(of: "momu_unheard_of") == nil) }
}
