import Glibc
import MoAudioDevices
import MoAudioEngine
import MoCore
import MoRuntime
import Testing

@Suite("JACK client", .serialized)
struct JACKDeviceTests {
  @Test("is silent and runs no turn before the first wait, and then reports only later xruns")
  func firstWait() throws {
    let library = try #require(FakeJACK.library())
    let format = AudioFormat(sampleRate: 48_000, blockFrames: 64, inputs: 0, outputs: 1)
    let device = try JACKOpening.open("jack", wanted: DeviceRequest(format: format), libraries: [library])
    defer { device.close() }
    var turns: [String] = []
    try device.start { [unowned device] state in
      switch state {
      case .ready:
        turns.append("block")
        let block = [Float](repeating: 0.5, count: 64)
        _ = block.withUnsafeBufferPointer { device.write($0) }
      case .recovered: turns.append("xrun")
      case .waiting, .lost: turns.append("other")
      }
    }
    // The server runs the client's periods from its activation on.
    FakeJACK.xrun()
    #expect(try FakeJACK.period(64) == [Float](repeating: 0, count: 64))
    #expect(turns.isEmpty)
    _ = device.wait()
    #expect(try FakeJACK.period(64) == [Float](repeating: 0.5, count: 64))
    FakeJACK.xrun()
    _ = try FakeJACK.period(64)
    #expect(turns == ["block", "xrun", "block"])
    device.stop()
    #expect(try FakeJACK.period(64) == [Float](repeating: 0, count: 64))
  }

  @Test("requests the block length of each start from PipeWire, unless the user has set it")
  func wishes() throws {
    let library = try #require(FakeJACK.library(isPipeWire: true))
    func wish(_ block: Int) throws -> String? {
      let format = AudioFormat(sampleRate: 48_000, blockFrames: block, inputs: 0, outputs: 1)
      try JACKOpening.open("jack", wanted: DeviceRequest(format: format), libraries: [library]).close()
      return getenv("PIPEWIRE_LATENCY").map { String(cString: $0) }
    }
    unsetenv("PIPEWIRE_LATENCY")
    defer { unsetenv("PIPEWIRE_LATENCY") }
    #expect(try wish(1024) == "1024/48000")
    #expect(try wish(64) == "64/48000")
    setenv("PIPEWIRE_LATENCY", "32/48000", 1)
    #expect(try wish(128) == "32/48000")
  }

  @Test(
    "times out on a server that hangs, and closes the client that it gets later", arguments: [false, true])
  func hangs(isListing: Bool) throws {
    let library = try #require(FakeJACK.library())
    let format = AudioFormat(sampleRate: 48_000, blockFrames: 64, inputs: 0, outputs: 1)
    let answer = WakeEvent()
    let closed = FakeJACK.closedClients
    FakeJACK.hang.withLock { $0 = answer }
    for _ in 0..<2 {
      if isListing {
        #expect(JACKOpening.device(libraries: [library], timeout: .milliseconds(1)) == nil)
      } else {
        #expect(throws: AudioError.noAnswer(name: "jack:hung")) {
          try JACKOpening.open(
            "jack:hung", wanted: DeviceRequest(format: format), libraries: [library],
            timeout: .milliseconds(1))
        }
      }
    }
    answer.raise()
    FakeJACK.waitForClosedClients(closed + 1)
    FakeJACK.hang.withLock { $0 = nil }
    #expect(FakeJACK.closedClients == closed + 1, "the second attempt opened no client")
  }

  @Test("connects to loudspeakers that are back, but restores no connection that the user has removed")
  func reconnects() throws {
    let library = try #require(FakeJACK.library())
    let format = AudioFormat(sampleRate: 48_000, blockFrames: 64, inputs: 0, outputs: 2)
    FakeJACK.setLoudspeakers(["card:left", "card:right"])
    let device = try JACKOpening.open("jack", wanted: DeviceRequest(format: format), libraries: [library])
    defer {
      device.close()
      FakeJACK.setLoudspeakers([])
    }
    try device.start { _ in }
    let made: Set = ["momu:out_1 > card:left", "momu:out_2 > card:right"]
    #expect(FakeJACK.connections == made)
    FakeJACK.setLoudspeakers([])
    _ = device.wait()
    #expect(FakeJACK.connections.isEmpty)
    // The ports come back one after the other.
    for loudspeakers in [["card:left"], ["card:left", "card:right"]] {
      FakeJACK.setLoudspeakers(loudspeakers)
      _ = device.wait()
    }
    #expect(FakeJACK.connections == made)
    FakeJACK.connections = ["momu:out_1 > card:left"]
    FakeJACK.setLoudspeakers(["card:left", "card:right", "other:left"])
    _ = device.wait()
    #expect(FakeJACK.connections == ["momu:out_1 > card:left"])
  }

  @Test("connects to loudspeakers that appear after the start, one after the other", arguments: [1, 2])
  func lateLoudspeakers(outputs: Int) throws {
    let library = try #require(FakeJACK.library())
    let format = AudioFormat(sampleRate: 48_000, blockFrames: 64, inputs: 0, outputs: outputs)
    let device = try JACKOpening.open("jack", wanted: DeviceRequest(format: format), libraries: [library])
    defer {
      device.close()
      FakeJACK.setLoudspeakers([])
    }
    try device.start { _ in }
    #expect(FakeJACK.connections.isEmpty)
    for loudspeakers in [["card:left"], ["card:left", "card:right"]] {
      FakeJACK.setLoudspeakers(loudspeakers)
      _ = device.wait()
    }
    #expect(FakeJACK.connections == ["momu:out_1 > card:left", "momu:out_\(outputs) > card:right"])
    FakeJACK.connections = []
    FakeJACK.setLoudspeakers(["card:left", "card:right", "other:left"])
    _ = device.wait()
    #expect(FakeJACK.connections.isEmpty, "the user has removed the connections")
  }
}
