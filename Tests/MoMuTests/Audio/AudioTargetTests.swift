import Testing

@testable import MoMu

@Suite("Where sound goes")
struct AudioTargetTests {
  @Test("names are understood")
  func names() throws {
    #expect(try AudioTarget(nil) == .automatic)
    #expect(try AudioTarget("virtual") == .virtual)
    #expect(try AudioTarget("none") == AudioTarget.none)
    #expect(try AudioTarget("wav:a b.wav") == .wav("a b.wav"))
    #expect(try AudioTarget("default") == .alsa("default"))
    #expect(try AudioTarget("plughw:CARD=USB,DEV=0") == .alsa("plughw:CARD=USB,DEV=0"))
  }

  @Test("nonsense is refused with what there is")
  func nonsense() {
    let empty = #expect(throws: AudioError.self) { try AudioTarget("wav:") }
    #expect(
      empty?.description
        == "cannot use \"wav:\" for --audio: say which file to write, such as --audio wav:out.wav")
    let spaced = #expect(throws: AudioError.self) { try AudioTarget("my card") }
    #expect(
      spaced?.description
        == "cannot use \"my card\" for --audio: use default, hw:1, plughw:1, virtual, wav:FILE or none; "
        + "--list-devices shows them")
  }

  @Test("arguments out of range are named with their range")
  func ranges() {
    let rate = #expect(throws: AudioError.self) { try AudioSettings(sampleRate: .nan).validated() }
    #expect(
      rate?.description
        == "MoAudio cannot start with a sampleRate of nan: give 4000 to 768000 Hz, such as 48000")
    let block = #expect(throws: AudioError.self) { try AudioSettings(blockFrames: 0).validated() }
    #expect(
      block?.description == "MoAudio cannot start with blockFrames of 0: give 1 to 8192 frames, such as 256")
    #expect(throws: AudioError.self) { try AudioSettings(inputs: 0, outputs: 0).validated() }
    #expect(throws: AudioError.self) { try AudioSettings(inputs: -1).validated() }
    #expect(throws: AudioError.self) { try AudioSettings(outputs: 65).validated() }
  }
}
