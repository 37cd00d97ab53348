import MoAudioDevices
import MoAudioEngine
import Testing

@Suite("Audio target")
struct AudioTargetTests {
  @Test("understands all names")
  func names() throws {
    #expect(try AudioTarget(nil) == .automatic)
    #expect(try AudioTarget("virtual") == .virtual())
    #expect(try AudioTarget("none") == AudioTarget.none)
    #expect(try AudioTarget("wav:a b.wav") == .wav("a b.wav"))
    #expect(try AudioTarget("default") == .alsa("default"))
    #expect(try AudioTarget("plughw:CARD=USB,DEV=0") == .alsa("plughw:CARD=USB,DEV=0"))
  }

  @Test("accepts the drift of a simulated card's clock")
  func drift() throws {
    #expect(try AudioTarget("virtual?ppm=100") == .virtual(SimulatedCard(ppm: 100)))
    #expect(try AudioTarget("wav:out.wav?ppm=-50") == .wav("out.wav", SimulatedCard(ppm: -50)))
    #expect(try AudioTarget("wav:out.wav?ppm=0") == .wav("out.wav", SimulatedCard(ppm: 0)))
    // A file name may contain a question mark.
    #expect(try AudioTarget("wav:who?.wav") == .wav("who?.wav"))
    #expect(try AudioTarget("wav:who?.wav?ppm=1000") == .wav("who?.wav", SimulatedCard(ppm: 1000)))
    for pair in ["ppm=1001", "ppm=", "ppm=0.5", "ppm=-9223372036854775808"] { try refuses(pair) }
  }

  @Test("accepts a latency and a burst of several blocks for a simulated card")
  func queue() throws {
    #expect(
      try AudioTarget("virtual?latency=43&burst=1024") == .virtual(SimulatedCard(latency: 0.043, burst: 1024))
    )
    #expect(
      try AudioTarget("wav:a.wav?burst=512&ppm=5&latency=0")
        == .wav("a.wav", SimulatedCard(ppm: 5, latency: 0, burst: 512)))
    for pair in ["latency=2001", "latency=-1", "latency=", "latency=4&burst=0", "burst=65537"] {
      try refuses(pair)
    }
    for pair in ["latency=4&speed=1", "latency=4&"] { try refuses(pair) }
  }

  /// Expects that an invalid setting is refused, with the valid ones named.
  private func refuses(_ pairs: String) throws {
    let error = #expect(throws: AudioError.self) { try AudioTarget("virtual?\(pairs)") }
    let pair = pairs.split(separator: "&", omittingEmptySubsequences: false).last ?? ""
    #expect(
      error?.description
        == "cannot use \"virtual?\(pairs)\" for --audio: \"\(pair)\" cannot be set: use latency=MS "
        + "(0 to 2000 ms to the ear), burst=FRAMES (1 to 65536 asked for at once) and ppm=N (-1000 to 1000, how fast its clock runs), "
        + "such as virtual?latency=43&burst=1024")
  }

  @Test("refuses invalid names, with the valid ones named")
  func nonsense() {
    let empty = #expect(throws: AudioError.self) { try AudioTarget("wav:") }
    #expect(
      empty?.description
        == "cannot use \"wav:\" for --audio: name the file to write, such as --audio wav:out.wav")
    let spaced = #expect(throws: AudioError.self) { try AudioTarget("my card") }
    #expect(
      spaced?.description
        == "cannot use \"my card\" for --audio: use default, hw:1, plughw:1, virtual, wav:FILE or none; "
        + "--list-devices shows them")
  }

  @Test("refuses arguments out of range, with their range named")
  func ranges() {
    let rate = #expect(throws: AudioError.self) { try AudioSettings(sampleRate: .nan).validated() }
    #expect(
      rate?.description
        == "MoAudio cannot start with a sampleRate of nan: must be 4000 to 768000 Hz, such as 48000")
    let block = #expect(throws: AudioError.self) { try AudioSettings(blockFrames: 0).validated() }
    #expect(
      block?.description
        == "MoAudio cannot start with blockFrames of 0: must be 1 to 8192 frames, such as 256")
    #expect(throws: AudioError.self) { try AudioSettings(inputs: 0, outputs: 0).validated() }
    #expect(throws: AudioError.self) { try AudioSettings(inputs: -1).validated() }
    #expect(throws: AudioError.self) { try AudioSettings(outputs: 65).validated() }
  }
}
