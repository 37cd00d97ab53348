import MoCore
import MoRuntime
import MoSensing
import Testing

/// A source that is due ten times a second, and that records the times at which it is serviced.
private final class NotedSource: EventSource {
  let name = "iio:0"
  let descriptor: Int32?
  private(set) var nextTime: HostTime? = .zero
  private(set) var times: [Double] = []

  init(descriptor: Int32?) { self.descriptor = descriptor }

  func service(until now: HostTime) {
    times.append(now.seconds)
    nextTime = now.advanced(byNanoseconds: 100_000_000)
  }
}

@Suite("The buffer of an Industrial I/O device that was plugged in a moment ago")
struct IIOUpgradeTests {
  /// Services a source until 10 s, and returns the times at which it tried to open the buffer.
  ///
  /// - Parameter buffered: the source that then opens; nil if the buffer cannot be opened.
  private func play(
    _ polled: NotedSource, _ buffered: NotedSource?, permittedFrom start: Double
  ) throws -> [Double] {
    var now = HostTime.zero
    var tries: [Double] = []
    let source = IIOUpgradableSource(
      polled, now: .zero, mayUpgrade: { now.seconds >= start },
      upgraded: {
        tries.append(now.seconds)
        return buffered
      })
    while let next = source.nextTime, next < HostTime(seconds: 10) {
      now = max(now, next)
      try source.service(until: now)
    }
    #expect(source.descriptor == (tries.isEmpty || buffered == nil ? nil : 7))
    return tries
  }

  @Test("reads the buffer a second after udev gives the right to it, and polls the device before")
  func right() throws {
    let (polled, buffered) = (NotedSource(descriptor: nil), NotedSource(descriptor: 7))
    #expect(try play(polled, buffered, permittedFrom: 2.5) == [4])
    #expect(polled.times.count == 40 && polled.times.last.map { $0 < 4 } == true)
    #expect(buffered.times.first == 4)
  }

  @Test("tries once to open a buffer that fails in spite of the right, and polls on")
  func noBuffer() throws {
    let polled = NotedSource(descriptor: nil)
    #expect(try play(polled, nil, permittedFrom: 0) == [2])
    #expect(polled.times.count == 100)
  }

  @Test("polls a device without the right to its buffer")
  func noRight() throws {
    let (polled, buffered) = (NotedSource(descriptor: nil), NotedSource(descriptor: 7))
    #expect(try play(polled, buffered, permittedFrom: 100).isEmpty)
    #expect(polled.times.count == 100 && buffered.times.isEmpty)
  }

  @Test("waits for the right to a buffer only if nothing else is missing")
  func awaited() throws {
    let names = ["x", "y", "z"].map { "in_accel_\($0)_raw" }
    let others = ["x", "y", "z"].map { "in_anglvel_\($0)_raw" }
    for (attributes, state, mayEnable, isAwaited) in [
      (names, "0", false, true), (names, "0", true, false), (names, "1", false, false),
      (names + others, "0", false, false),
    ] {
      let folder = FakeFolder(["name": "imu", "buffer/enable": state])
      for attribute in attributes { folder.write(attribute, "0") }
      let triple = try #require(IIOTriple(IIODevice(folder.path), channel: "accel"))
      #expect(IIOBuffer.lacksOnlyRight(triple, mayEnable: { _ in mayEnable }) == isAwaited)
    }
  }
}
