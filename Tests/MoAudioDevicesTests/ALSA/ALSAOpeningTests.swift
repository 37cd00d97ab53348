import MoAudioDevices
import MoAudioEngine
import Testing

@Suite("Opening of an ALSA device with input")
struct ALSAOpeningTests {
  /// Opens `hw:1` if its input has an obstacle; returns the opened PCMs, the error and the warnings.
  private func open(
    needsInput: Bool, obstacle: AudioError?
  ) -> (pcms: [String?]?, error: AudioError?, warnings: [String]) {
    let format = AudioFormat(sampleRate: 48_000, blockFrames: 256, inputs: 1, outputs: 2)
    var warnings: [String] = []
    do throws(AudioError) {
      let pcms = try ALSAOpening.open(
        "hw:1", wanted: DeviceRequest(format: format, needsInput: needsInput), warn: { warnings.append($0) },
        with: { playback, capture throws(AudioError) -> [String?] in
          if capture != nil, let obstacle { throw obstacle }
          return [playback, capture]
        })
      return (pcms, nil, warnings)
    } catch {
      return (nil, error, warnings)
    }
  }

  @Test(
    "fails while a needed input is busy or not permitted, and then has both directions",
    arguments: [AudioError.busy(name: "hw:1", holder: nil), .noAccess(name: "hw:1")])
  func needed(obstacle: AudioError) {
    let failed = open(needsInput: true, obstacle: obstacle)
    #expect(failed.pcms == nil && failed.error == obstacle && failed.warnings.isEmpty)
    #expect(open(needsInput: true, obstacle: nil).pcms == ["hw:1", "hw:1"])
  }

  @Test("plays without an input that is not needed or that the card does not have, and warns")
  func notNeeded() {
    let busy = AudioError.busy(name: "hw:1", holder: "firefox (process 42)")
    let without = open(needsInput: false, obstacle: busy)
    #expect(without.pcms == ["hw:1", nil])
    #expect(
      without.warnings == ["no input from hw:1, so the input is silent until the next start: \(busy)"])
    #expect(open(needsInput: true, obstacle: .noDevice(name: "hw:1", others: [])).pcms == ["hw:1", nil])
  }
}
