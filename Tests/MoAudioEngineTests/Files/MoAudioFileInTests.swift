import Glibc
import MoDSP
import MoTesting
import Testing

@testable import MoAudioEngine
@testable import MoRuntime

@Suite("Player of a sound file")
struct MoAudioFileInTests {
  private let ramp = SoundBuffer((0..<1000).map { Float($0 + 1) }, sampleRate: 48_000)

  private func play(_ player: MoAudioFileIn, _ count: Int) -> [Float] {
    (0..<count).map { _ in player.tick() }
  }

  /// The same sound in memory and streamed, with the disk read when the player has no frames left.
  private func both(_ sound: SoundBuffer) throws -> [MoAudioFileIn] {
    [
      MoAudioFileIn(sound, sampleRate: sound.sampleRate),
      try MoAudioFileIn(streaming: MemorySource(sound), sampleRate: sound.sampleRate, reading: .onDemand),
    ]
  }

  @Test("gives the exact samples, then silence")
  func plain() throws {
    for player in try both(ramp) {
      #expect(player.size == 1000)
      #expect(play(player, 1000) == (1...1000).map { Float($0) })
      #expect(play(player, 5) == [0, 0, 0, 0, 0])
      #expect(player.isFinished)
      player.reset()
      #expect(!player.isFinished)
      #expect(play(player, 3) == [1, 2, 3])
      #expect(player.place == 3)
    }
  }

  @Test("begins at the end backwards, and goes back over the same frames after a turn")
  func backwards() throws {
    for player in try both(ramp) {
      player.rate = -1
      #expect(play(player, 1000) == (1...1000).reversed().map { Float($0) })
      #expect(play(player, 2) == [0, 0])
      #expect(player.isFinished)
    }
    let player = try both(ramp)[0]
    _ = play(player, 10)
    player.rate = -1
    #expect(play(player, 3) == [11, 10, 9])
  }

  @Test("loops without a seam, in both directions", arguments: [1.0, -1, 0.5, 2, -0.25, 7, -1.7])
  func loops(rate: Double) throws {
    let cycle = SoundBuffer((0..<480).map { Float(sin(2 * .pi * Double($0) / 480)) }, sampleRate: 48_000)
    for player in try both(cycle) {
      player.isLooping = true
      player.rate = rate
      var worst: Float = 0
      for index in 0..<20_000 {
        let start: Double = rate < 0 ? 479 : 0
        let wanted = Float(sin(2 * .pi * (start + rate * Double(index)) / 480))
        worst = max(worst, abs(player.tick() - wanted))
      }
      // Before its first frame, a stream has only silence.
      #expect(worst < (player.isStreamed ? 1e-3 : 2e-4))
      #expect(!player.isFinished)
    }
  }

  @Test("gives the same sound streamed and in memory", arguments: [1.0, 0.3, 1.9, -1, -0.7, 33])
  func streamed(rate: Double) throws {
    var random = TestRandom(seed: 3)
    let noise = SoundBuffer(
      (0..<60_000).map { _ in Float(random.uniform() - 0.5) }, channels: 2, sampleRate: 44_100)
    let players = try both(noise)
    for player in players { player.rate = rate }
    for _ in 0..<Int(30_000 / abs(rate)) + 5 {
      for player in players { player.tickFrame() }
      for channel in 0..<2 {
        #expect(abs(players[0].lastFrame(channel) - players[1].lastFrame(channel)) < 1e-5)
      }
    }
    #expect(players.allSatisfy { $0.isFinished })
    #expect(players[1].underruns == 0)
  }

  @Test("is silent if the disk is too slow, counts that, and continues at the same position")
  func underruns() throws {
    let long = SoundBuffer((0..<40_000).map { Float($0 + 1) }, sampleRate: 4000)
    let player = try MoAudioFileIn(streaming: MemorySource(long), sampleRate: 4000, reading: .byHand)
    let disk = try #require(player.disk)
    var heard: [Float] = []
    while heard.last != 0 { heard.append(player.tick()) }
    heard.removeLast()
    #expect(heard.count > 4000)
    #expect(play(player, 99).allSatisfy { $0 == 0 })
    #expect(player.underruns == 1)
    #expect(player.missedFrames == 100)
    disk.fill()
    heard += play(player, 1000)
    #expect(heard == (1...heard.count).map { Float($0) })
    while player.tick() != 0 {}
    #expect(player.underruns == 2)
    #expect(!player.isFinished)
  }

  @Test("moves a stream to another position when the disk has reached it")
  func seeking() throws {
    let long = SoundBuffer((0..<40_000).map { Float($0 + 1) }, sampleRate: 4000)
    let player = try MoAudioFileIn(streaming: MemorySource(long), sampleRate: 4000, reading: .byHand)
    _ = play(player, 100)
    player.addTime(20_000)
    #expect(play(player, 10).allSatisfy { $0 == 0 })
    #expect(player.underruns == 0)
    player.disk?.fill()
    #expect(play(player, 3) == [20_101, 20_102, 20_103])
    player.rate = -1
    player.disk?.fill()
    #expect(play(player, 3) == [20_104, 20_103, 20_102])
    player.addTime(-1e9)
    player.disk?.fill()
    #expect(play(player, 2) == [1, 0])
    #expect(player.isFinished)
  }

  @Test("interpolates a parabola exactly: Catmull and Rom's cubic has no error there")
  func parabola() {
    let parabola = SoundBuffer((0..<100).map { Float($0 * $0) * 0.01 }, sampleRate: 48_000)
    let player = MoAudioFileIn(parabola, sampleRate: 48_000)
    player.rate = 0.37
    for index in 0..<250 {
      let place = 0.37 * Double(index)
      let sample = player.tick()
      if place > 1, place < 97 { #expect(abs(Double(sample) - place * place * 0.01) < 2e-5) }
    }
    player.reset()
    player.interpolates = false
    #expect(play(player, 6) == [0, 0, 0, 0.01, 0.01, 0.01])
  }

  @Test(
    "has the specified interpolation error for a tone",
    arguments: [(100.0, -100.0), (24, -60), (10, -36)])
  func quality(cycle: Double, decibels: Double) {
    let tone = SoundBuffer((0..<4000).map { Float(sin(2 * .pi * Double($0) / cycle)) }, sampleRate: 48_000)
    let player = MoAudioFileIn(tone, sampleRate: 48_000)
    player.rate = 0.618_034
    var (error, level): (Double, Double) = (0, 0)
    for index in 0..<6000 {
      let wanted = sin(2 * .pi * 0.618_034 * Double(index) / cycle)
      let sample = Double(player.tick())
      if index > 10 {
        (error, level) = (error + (sample - wanted) * (sample - wanted), level + wanted * wanted)
      }
    }
    #expect(10 * log10(error / level) < decibels, "\(10 * log10(error / level))")
  }

  @Test("converts the sound for a device of another rate, with the same pace and pitch")
  func rates() {
    let tone = SoundBuffer(
      (0..<44_100).map { Float(sin(2 * .pi * 1000 * Double($0) / 44_100)) }, sampleRate: 44_100)
    let player = MoAudioFileIn(tone)
    player.prepare(sampleRate: 96_000)
    for index in 0..<95_000 {
      let sample = player.tick()
      if index > 1000 { #expect(abs(Double(sample) - sin(2 * .pi * 1000 * Double(index) / 96_000)) < 1e-4) }
    }
    #expect(abs(player.place - 95_000 * 44_100 / 96_000) < 1)
    #expect(!player.isFinished)
    _ = play(player, 1001)
    #expect(player.isFinished)
  }

  /// A sound of 44,100 frames per second, in memory and streamed to a device of 48,000.
  private func converted(_ sound: SoundBuffer) throws -> [MoAudioFileIn] {
    let memory = MoAudioFileIn(sound)
    memory.prepare(sampleRate: 48_000)
    return [
      memory, try MoAudioFileIn(streaming: MemorySource(sound), sampleRate: 48_000, reading: .onDemand),
    ]
  }

  @Test(
    "has no images above −90 dB in a stream at another rate",
    arguments: [1000.0, 4400, 10_000, 15_000, 19_000])
  func images(frequency: Double) throws {
    let tone = SoundBuffer(
      (0..<88_200).map { Float(0.9 * sin(2 * .pi * frequency * Double($0) / 44_100)) }, sampleRate: 44_100)
    let player = try converted(tone)[1]
    let sound = play(player, 90_000)[10_000..<58_000]
    let windowed = AudioMeasures.windowed(sound)
    let level = AudioMeasures.strength(of: windowed, at: frequency / 48_000)
    var worst = 0.0
    // Both rates, and all these tones, are multiples of 50 Hz, and so are all products of them.
    for hertz in stride(from: 50.0, to: 24_000, by: 50) where abs(hertz - frequency) > 100 {
      worst = max(worst, AudioMeasures.strength(of: windowed, at: hertz / 48_000))
    }
    #expect(20 * log10(worst / level) < -90)
  }

  @Test("gives the same sound streamed at another rate and in memory", arguments: [1.0, -1, 0.5])
  func streamedConverted(rate: Double) throws {
    var random = TestRandom(seed: 3)
    let noise = SoundBuffer(
      (0..<60_000).map { _ in Float(random.uniform() - 0.5) }, channels: 2, sampleRate: 44_100)
    let players = try converted(noise)
    for player in players { player.rate = rate }
    var count = 0
    while !players[0].isFinished, count < 100_000 {
      count += 1
      for player in players { player.tickFrame() }
      for channel in 0..<2 {
        #expect(abs(players[0].lastFrame(channel) - players[1].lastFrame(channel)) < 1e-5)
      }
    }
    #expect(abs(Double(count) - 30_000 * 48_000 / 44_100 / abs(rate)) < 4)
    #expect(abs(players[1].place - players[0].place) < 2)
  }

  @Test(
    "seeks in frames of the file, loops, and follows the device's rate in a stream at another rate")
  func places() throws {
    let cycle = (0..<44_100).map { Float(sin(2 * .pi * Double($0) / 441)) }
    let sound = SoundBuffer(cycle, sampleRate: 44_100)
    let player = try converted(sound)[1]
    _ = play(player, 4800)
    #expect(abs(player.place - 4410) < 1e-6)
    player.addTime(22_050)
    #expect(abs(player.place - 26_460) < 1)
    // 100 Hz from its start on: 26,460 is 60 whole cycles.
    let sample = play(player, 121).last ?? 0
    #expect(abs(sample - Float(sin(2 * Double.pi * 120 / 480))) < 1e-3)
    player.prepare(sampleRate: 96_000)
    #expect(abs(player.place - 26_460 - 121 * 44_100 / 48_000) < 1)
    let start = player.place
    #expect(abs((play(player, 961).last ?? 0) - Float(sin(2 * .pi * (start + 441) / 441))) < 0.01)
    player.isLooping = true
    player.addTime(1e9)
    _ = play(player, 96_000 * 3)
    #expect(!player.isFinished && player.place < 44_100)
    #expect(player.underruns == 0)
  }

  @Test("mixes channels to one, spreads, keeps or maps them")
  func channels() {
    func output(of channels: Int, on outputs: Int, map: [Int] = []) -> [Float] {
      let sound = SoundBuffer(
        (0..<channels * 4).map { Float($0 + 1) }, channels: channels, sampleRate: 48_000)
      let player = MoAudioFileIn(sound)
      player.gain = 2
      player.map(map)
      var samples = [Float](repeating: 100, count: 2 * outputs)
      var block = AudioBlock(
        output: samples.mutableSpan, input: Span(), outputs: outputs, inputs: 0, frames: 2, sampleRate: 48_000
      )
      player.add(to: &block)
      return samples.map { $0 - 100 }
    }
    #expect(output(of: 1, on: 3) == [2, 2, 2, 4, 4, 4])
    #expect(output(of: 2, on: 1) == [3, 7])
    #expect(output(of: 2, on: 3) == [2, 4, 0, 6, 8, 0])
    #expect(output(of: 2, on: 2, map: [1, 0]) == [4, 2, 8, 6])
    #expect(output(of: 2, on: 3, map: [-1, 5, 0]) == [2, 0, 2, 6, 0, 6])
  }

  @Test("keeps its first frame for the first audible block, in memory, streamed, and when writing")
  func rehearsal() throws {
    let temporary = TemporaryFolder()
    let sound = SoundBuffer((0..<4000).map { Float($0 + 1) / 4096 }, sampleRate: 48_000)
    for player in try both(sound) {
      let out = try MoAudioFileOut(temporary.path("out.wav"), channels: 1)
      // The state belongs to this test alone.
      nonisolated(unsafe) let state = player
      let renderer = BlockRenderer(
        format: AudioFormat(sampleRate: 48_000, blockFrames: 64, inputs: 0, outputs: 1),
        statistics: AudioStatistics()
      ) { block in
        state.add(to: &block)
        for frame in block.frames { out.tick(block[frame]) }
      }
      renderer.warmUp(frames: 64, at: .zero)
      #expect(player.place == 0)
      renderer.render(frames: 64, time: .zero, nanosecondsPerFrame: 1e9 / 48_000)
      #expect(renderer.output[0] == 1.0 / 4096)
      #expect(renderer.output[63] == 64.0 / 4096)
      out.close()
      let written = try SoundBuffer(temporary.path("out.wav"))
      #expect(written.frames == 64)
      #expect(written[0] == 1.0 / 4096)
    }
  }

  @Test("survives invalid requests")
  func limits() throws {
    for sound in [ramp, SoundBuffer([], sampleRate: 48_000), SoundBuffer([0.5], sampleRate: 48_000)] {
      for player in try both(sound) {
        player.isLooping = true
        for rate in [0, .nan, .infinity, -.infinity, 1e300, -1e-300, 0.1, -255] {
          player.rate = rate
          for frames in [0, -1e300, 1e300, .nan, 0.5] {
            player.addTime(frames)
            for _ in 0..<20 { #expect(player.tick().isFinite) }
          }
        }
        player.isLooping = false
        #expect(player.lastFrame(-1) == 0)
        #expect(player.lastFrame(7) == 0)
        player.close()
        #expect(player.tick() == 0)
      }
    }
    let player = MoAudioFileIn(ramp)
    #expect(player.normalize(to: 0.5))
    #expect(play(player, 2) == [0.0005, 0.001])
    #expect(!MoAudioFileIn(SoundBuffer([0, 0], sampleRate: 48_000)).normalize())
  }

  @Test("reads a file from the disk on its thread, and ends the thread")
  func thread() throws {
    let temporary = TemporaryFolder()
    _ = temporary.writeAll()
    let player = try MoAudioFileIn(temporary.path("s24.wav"), streamed: true, sampleRate: 44_100)
    #expect(player.isStreamed)
    for frame in 0..<Pattern.frames {
      player.tickFrame()
      #expect(player.lastFrame(0) == Pattern.sample(frame, 0))
      #expect(player.lastFrame(1) == Pattern.sample(frame, 1))
    }
    player.close()
    #expect(try !MoAudioFileIn(temporary.path("s24.wav")).isStreamed)
  }
}

/// A sound in memory that acts as a file.
private final class MemorySource: SoundSource {
  let path = "memory"
  let sound: SoundBuffer

  init(_ sound: SoundBuffer) { self.sound = sound }

  var channels: Int { sound.channels }
  var sampleRate: Double { sound.sampleRate }
  var frames: Int { sound.frames }

  func read(at frame: Int, count: Int, into target: UnsafeMutablePointer<Float>) -> Int {
    let got = max(0, min(count, frames - frame))
    for index in 0..<got * channels { target[index] = sound.samples[frame * channels + index] }
    return got
  }
}
