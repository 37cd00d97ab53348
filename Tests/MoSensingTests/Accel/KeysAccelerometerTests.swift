import Glibc
import MoCore
import MoDSP
import MoRuntime
import MoSensing
import Synchronization
import Testing

/// A source that reads a pipe instead of a terminal, on a manual clock.
private final class Keyboard {
  let source: KeysAccelerometer
  private let keys: TerminalKeys
  private let input: EventLoop
  private let clock = ManualClock(HostTime(seconds: 50))
  private let heard = Readings()
  private let reading: Int32
  private var typing: Int32

  private final class Readings: Sendable {
    let all = Mutex<[AccelReading]>([])
  }

  init(player: SimulatedAccelerometer.Player?) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    (reading, typing) = (ends[0], ends[1])
    let source = KeysAccelerometer(clock: clock, player: player) { [heard] reading in
      heard.all.withLock { $0.append(reading) }
    }
    self.source = source
    keys = TerminalKeys(reading, TerminalKeys.Terminal(open: { true }, restore: {}))
    input = EventLoop(clock: clock, isDriven: true)
    nonisolated(unsafe) let handed = source
    _ = try? keys.add(to: input, { handed.handleKey($0, at: $1) }, closed: { handed.close() })
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(typing, bytes, bytes.count) == bytes.count)
  }

  func hangUp() {
    close(typing)
    typing = -1
  }

  /// Advances the time, and returns the readings meanwhile, with times from the start.
  func pass(seconds: Double) throws -> [AccelReading] {
    let end = clock.now.advanced(bySeconds: seconds)
    while let next = source.nextTime, next <= end {
      clock.advance(to: next)
      input.service(until: clock.now)
      try source.service(until: clock.now)
    }
    clock.advance(to: end)
    return heard.all.withLock { all in
      defer { all = [] }
      return all
    }
  }

  /// Returns the readings when its descriptor wakes it now.
  func wake() throws -> [AccelReading] {
    input.service(until: clock.now)
    try source.service(until: clock.now)
    return try pass(seconds: 0)
  }

  deinit {
    if typing >= 0 { close(typing) }
    close(reading)
  }
}

@Suite("The accelerometer on the keys")
struct KeysAccelerometerTests {
  @Test("delivers a hundred readings a second, and a stroke at the moment of the key, between two of them")
  func stroke() throws {
    let keyboard = Keyboard(player: nil)
    let before = try keyboard.pass(seconds: 0.995)
    #expect(before.count == 100)
    #expect(before.allSatisfy { $0.x == 0 && $0.y == 0 && $0.z == 1 })
    keyboard.type(" ")
    let struck = try keyboard.wake()
    #expect(struck.map(\.time) == [HostTime(seconds: 50.995)])
    var features = MotionFeatures()
    let motions = (before + struck).compactMap {
      features.read(time: $0.time, x: $0.x, y: $0.y, z: $0.z)
    }
    #expect(motions.last?.strike != nil)
  }

  @Test("a simulated player plays until the first key that plays, and no longer")
  func player() throws {
    let keyboard = Keyboard(player: .shake)
    let simulated = try keyboard.pass(seconds: 0.4)
    #expect(simulated.contains { $0.y > 1 })
    keyboard.type("x")
    #expect(try keyboard.pass(seconds: 0.6).contains { $0.y > 1 })
    keyboard.type("\u{1B}[C")
    _ = try keyboard.wake()
    let held = try keyboard.pass(seconds: 2)
    #expect(held.allSatisfy { $0.y == 0 })
    // The right edge is down: the raised side reads positive.
    #expect(abs((held.last?.x ?? 0) + Float(sin(10 * Double.pi / 180))) < 1e-3)
  }

  @Test("ends with an error text when the terminal closes")
  func hangUp() throws {
    let keyboard = Keyboard(player: nil)
    keyboard.hangUp()
    let error = #expect(throws: AccelError.self) { try keyboard.wake() }
    #expect(error?.description == "keys went away (the terminal was closed)")
  }
}
