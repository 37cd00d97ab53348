import MoAudioDevices
import MoAudioEngine
import MoCore
import MoDSPCore
import MoRuntime
import MoTesting
import Synchronization
import Testing

/// A machine without a sound card.
private struct NoCards: DeviceOpener {
  func open(_ name: String, wanted: DeviceRequest) throws -> any AudioDevice {
    throw AudioError.noDevice(name: name, others: [])
  }
  func currentDefault() -> String? { nil }
  func devices() -> [NamedDevice] { [] }
  var changes: Int32? { nil }
  func drainChanges() {}
}

/// A state of a program, without sound.
private struct Voiceless: Voice {
  mutating func prepare(sampleRate: Double) {}
}

@Suite("Audio server")
struct AudioServerTests {
  private func run() -> Run {
    var options = RunOptions()
    options.quiet = true
    return Run(options)
  }

  /// A callback that signals after the given number of live calls.
  private func counting(_ count: Int, _ reached: WakeEvent) -> BlockRenderer.Callback {
    let calls = MoCount()
    return { _ in if calls.next() == count + 1 { reached.raise() } }
  }

  private final class MoCount: Sendable {
    private let value = Atomic<Int>(0)
    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test("plays without a card, restarts any number of times, and refuses a second start")
  func restarts() throws {
    let server = AudioServer(opener: NoCards())
    let run = run()
    for _ in 0..<5 {
      let reached = WakeEvent()
      try server.start(AudioSettings(blockFrames: 64), in: run, counting(3, reached))
      reached.wait(for: nil)
      #expect(server.playback?.deviceName == "virtual")
      #expect(throws: AudioError.alreadyRunning) {
        try server.start(AudioSettings(), in: run) { _ in }
      }
      server.stop()
      server.stop()
      #expect(server.playback == nil)
    }
  }

  @Test("names the other devices if `default` cannot be opened, and reports no card only if there is none")
  func substitute() {
    let missing = AudioServer.substituteNotice(
      AudioError.noDevice(name: "default", others: ["default", "hw:CARD=PCH,DEV=0"]))
    #expect(
      missing.hasPrefix("The sound card cannot be used (no device default: use one of hw:CARD=PCH,DEV=0"))
    let forbidden = AudioServer.substituteNotice(AudioError.noAccess(name: "default"))
    #expect(forbidden.hasPrefix("The sound card cannot be used (no access to default"))
    let none = AudioServer.substituteNotice(AudioError.noDevice(name: "default", others: []))
    #expect(none.hasPrefix("No sound card found: "))
  }

  @Test("throws an error if a named card is missing")
  func named() {
    let error = #expect(throws: AudioError.self) {
      try AudioServer(opener: NoCards()).start(AudioSettings(device: "hw:7"), in: run()) { _ in }
    }
    #expect(
      error?.description
        == "no device hw:7: there is no sound card; use --audio virtual for silence, or --audio wav:out.wav")
  }

  @Test(
    "refuses a fast clock offline, and says so",
    arguments: ["virtual?ppm=-50", "wav:/nonexistent/out.wav?ppm=100"])
  func offline(device: String) {
    var options = RunOptions()
    (options.quiet, options.offline) = (true, true)
    let error = #expect(throws: AudioError.self) {
      try AudioServer(opener: NoCards()).start(AudioSettings(device: device), in: Run(options)) { _ in }
    }
    #expect(
      error?.description
        == "--offline cannot play through \"\(device)\": use --audio wav:out.wav to write a file, or --audio "
        + "virtual for none")
  }

  @Test("ends when stopped from its own callback, and can start again")
  func stopsItself() throws {
    let server = AudioServer(opener: NoCards())
    let run = run()
    let calls = MoCount()
    let stopped = WakeEvent()
    try server.start(AudioSettings(device: "virtual", blockFrames: 64), in: run) { _ in
      if calls.next() == 4 {
        server.stop()
        stopped.raise()
      }
    }
    stopped.wait(for: nil)
    let reached = WakeEvent()
    try server.start(AudioSettings(device: "virtual", blockFrames: 64), in: run, counting(3, reached))
    reached.wait(for: nil)
    server.stop()
    #expect(server.playback == nil)
  }

  /// A machine with a single card that is unplugged during its third block.
  private struct LostCard: DeviceOpener {
    func open(_ name: String, wanted: DeviceRequest) throws -> any AudioDevice {
      let card = FakeCard(name, clock: ManualClock())
      card.mishaps = [3: .lost]
      return card
    }
    func currentDefault() -> String? { nil }
    func devices() -> [NamedDevice] { [] }
    var changes: Int32? { nil }
    func drainChanges() {}
  }

  @Test("an event callback and another thread may stop the sound at the same time", .timeLimit(.minutes(1)))
  func stopsTwice() throws {
    let server = AudioServer(opener: LostCard())
    let (entered, stopped) = (WakeEvent(), WakeEvent())
    let token = server.events.add { [weak server] event in
      guard case .deviceLost = event else { return }
      entered.raise()
      // The other thread is in `stop` by then.
      SystemClock().sleep(until: SystemClock().now.advanced(bySeconds: 0.1))
      server?.stop()
      stopped.raise()
    }
    try server.start(AudioSettings(device: "hw:1"), in: run()) { _ in }
    entered.wait(for: nil)
    server.stop()
    stopped.wait(for: nil)
    #expect(server.playback == nil)
    token.cancel()
  }

  @Test("refuses a WAV file without output channels")
  func wavWithoutOutputs() {
    let error = #expect(throws: AudioError.self) {
      try AudioServer(opener: NoCards()).start(
        AudioSettings(device: "wav:/nonexistent/out.wav", inputs: 1, outputs: 0), in: run()
      ) { _ in }
    }
    #expect(error?.description.contains("outputs of 0") == true)
  }

  @Test("writes a WAV file of 64 channels at 192 kHz")
  func wideWav() throws {
    let scratch = Scratch()
    let (server, reached) = (AudioServer(opener: NoCards()), WakeEvent())
    let settings = AudioSettings(
      device: "wav:" + scratch.file("wide.wav"), sampleRate: 192_000, blockFrames: 64, outputs: 64)
    try server.start(settings, in: run(), counting(3, reached))
    reached.wait(for: nil)
    server.stop()
    let sound = try SoundBuffer(scratch.file("wide.wav"))
    #expect(sound.channels == 64 && sound.sampleRate == 192_000 && sound.frames >= 128)
  }

  @Test("is silent from the first frame on if muted before the start")
  func muted() throws {
    let server = AudioServer(opener: NoCards())
    server.isMuted = true
    let reached = WakeEvent()
    let calls = MoCount()
    try server.start(AudioSettings(device: "virtual", blockFrames: 512), in: run()) { block in
      for frame in block.frames { block[frame] = 0.5 }
      if calls.next() == 8 { reached.raise() }
    }
    reached.wait(for: nil)
    #expect(server.playback?.renderer.statistics.takePeak() == 0)
    server.stop()
  }

  @Test("has the set level from the first frame on, with its square as the gain")
  func level() throws {
    let server = AudioServer(opener: NoCards())
    server.level = 0.5
    let reached = WakeEvent()
    let calls = MoCount()
    try server.start(AudioSettings(device: "virtual", blockFrames: 512), in: run()) { block in
      for frame in block.frames { block[frame] = 0.5 }
      if calls.next() == 8 { reached.raise() }
    }
    reached.wait(for: nil)
    #expect(server.playback?.renderer.statistics.takePeak() == 0.125)
    // The levels and mutes of the program and of the room are independent of each other.
    server.roomLevel = 0.5
    #expect(server.gain == 0.0625)
    server.isRoomMuted = true
    #expect(server.gain == 0)
    server.isMuted = true
    server.isRoomMuted = false
    #expect(server.gain == 0 && server.isMuted && server.level == 0.5)
    server.isMuted = false
    server.roomLevel = 1
    #expect(server.gain == 0.25)
    server.level = .nan
    #expect(server.level == 0)
    server.level = 7
    #expect(server.level == 1)
    server.stop()
  }

  @Test(
    "refuses a sample rate that is no rate, also with a state of the program",
    arguments: [0, -1, .nan, .infinity, 1e9])
  func badRate(rate: Double) {
    #expect(throws: AudioError.self) {
      try MoAudio.start(Voiceless(), device: "virtual", sampleRate: rate) { _, _ in }
    }
  }

  @Test("gives the command line priority for rate, block and channels, but adds no output")
  func overridden() throws {
    let options = try RunOptions(arguments: ["--rate", "44100", "--block=64", "--channels", "1"])
    let asked = AudioSettings(device: "hw:0", inputs: 1).overridden(by: options)
    #expect(
      asked == AudioSettings(device: "hw:0", sampleRate: 44_100, blockFrames: 64, inputs: 1, outputs: 1))
    #expect(AudioSettings(inputs: 1, outputs: 0).overridden(by: options).outputs == 0)
  }
}
