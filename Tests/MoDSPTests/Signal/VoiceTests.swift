import MoDSP
import MoTesting
import Testing

@Suite("Voices together")
struct VoiceTests {
  @Test("shaker and drum stay below full scale in all play")
  func fullScale() {
    var play = Noise(seed: 9)
    var (shaker, drum) = (Shaker(seed: 1), Drum(seed: 2))
    let samples = render(480_000) {
      if play.tick() > 0.99 { drum.strike(abs(play.tick()) * 1.5) }
      return shaker.tick(2 * play.tick()) + drum.tick()
    }
    #expect(AudioMeasures.isFinite(samples))
    #expect(AudioMeasures.peak(samples) < 1)
    #expect(AudioMeasures.peak(samples) > 0.5)
  }

  @Test("block sizes 1, 64 and 512 give the same sound")
  func blockSizes() {
    let whole = shakeAndDrum(seconds: 2, block: 96_000)
    for block in [1, 64, 512] { #expect(shakeAndDrum(seconds: 2, block: block) == whole) }
  }

  @Test("a state that is a voice is prepared at the device's rate; another state is not changed")
  func prepared() {
    struct Counter { var count = 3 }
    var (drum, there) = (Drum(seed: 1), Drum(sampleRate: 96_000, seed: 1))
    prepareIfVoice(&drum, sampleRate: 96_000)
    drum.strike(1)
    there.strike(1)
    #expect(render(1000) { drum.tick() } == render(1000) { there.tick() })
    var counter = Counter()
    prepareIfVoice(&counter, sampleRate: 96_000)
    #expect(counter.count == 3)
  }
}
