import MoCore
import MoTesting
import Synchronization
import Testing

@Suite("Values for the audio callback")
struct RealTimeKitTests {
  @Test("a parameter ramps linearly, and exactly to its target")
  func ramp() {
    let level = MoParam(0, ramp: .milliseconds(10))
    level.value = 1
    let line = (0..<600).map { _ in level.tick(48_000) }
    #expect(line[479] == 1)
    #expect(line[599] == 1)
    for frame in 0..<480 { #expect(abs(line[frame] - Float(frame + 1) / 480) < 1e-4) }
  }

  @Test("a parameter ramps by itself, without a sample rate: no step is larger than a 480th of the change")
  func rampByDefault() {
    let level = MoParam(0)
    level.value = 1
    var (last, largest): (Float, Float) = (0, 0)
    for _ in 0..<600 {
      let sample = level.tick()
      (last, largest) = (sample, max(largest, sample - last))
    }
    #expect(last == 1)
    #expect(largest < 1.01 / 480)
  }

  @Test("a parameter with a ramp of 0, less or NaN jumps", arguments: [0, -1, Double.nan])
  func jump(seconds: Double) {
    let level = MoParam(0, ramp: seconds)
    level.value = 1
    #expect(level.tick() == 1)
  }

  @Test("a parameter takes numbers of every type")
  func numbers() {
    let (whole, single, double) = (2, Float(0.5), 0.25)
    #expect(MoParam(whole).value == 2)
    #expect(MoParam(single).value == 0.5)
    #expect(MoParam(double).value == 0.25)
    let level = MoParam(0)
    level.set(whole)
    #expect(level.value == 2)
    level.set(single)
    #expect(level.value == 0.5)
    level.set(double)
    #expect(level.value == 0.25)
    level.set(1)
    #expect(level.value == 1)
  }

  @Test("a parameter ignores NaN and infinity")
  func parameterRefuses() {
    let level: MoParam = 0.5
    level.value = .nan
    level.value = .infinity
    #expect(level.value == 0.5)
    #expect(level.take() == 0.5)
    #expect(level.value == 0)
  }

  @Test("a parameter that is created with NaN or infinity starts at 0", arguments: [Float.nan, .infinity])
  func firstValueRefused(first: Float) {
    for level in [MoParam(first), MoParam(first, ramp: 0), MoParam(Double(first))] {
      #expect(level.value == 0 && level.tick() == 0)
      level.value = 1
      let line = (0..<600).map { _ in level.tick() }
      #expect(line.allSatisfy { $0.isFinite } && line[599] == 1)
    }
  }

  @Test("strikes come due in the order of their times, in whatever order they were fired")
  func order() {
    let trigger = MoTrigger()
    trigger.fire(0.3, at: HostTime(nanoseconds: 300))
    trigger.fire(0.1, at: HostTime(nanoseconds: 100))
    trigger.fire(0.2, at: HostTime(nanoseconds: 100))
    #expect(trigger.due(at: HostTime(nanoseconds: 99)) == nil)
    #expect(trigger.due(at: HostTime(nanoseconds: 100)) == 0.1)
    #expect(trigger.due(at: HostTime(nanoseconds: 100)) == 0.2)
    #expect(trigger.due(at: HostTime(nanoseconds: 299)) == nil)
    trigger.fire(0.9)
    #expect(trigger.due(at: .zero) == 0.9)
    #expect(trigger.due(at: HostTime(nanoseconds: 301)) == 0.3)
    #expect(trigger.due(at: .distantFuture) == nil)
  }

  @Test("counts strikes beyond the capacity, tears none, and recovers")
  func full() {
    let trigger = MoTrigger()
    for index in 0..<100 { trigger.fire(Float(index)) }
    #expect(trigger.dropped == 36)
    for index in 0..<64 { #expect(trigger.due(at: .zero) == Float(index)) }
    #expect(trigger.due(at: .zero) == nil)
    trigger.fire(.nan)
    #expect(trigger.due(at: .zero) == 0)
  }

  @Test("a strike that is due now comes at once although many strikes wait for a later time")
  func dueDespiteWaiting() {
    let (now, later) = (HostTime(seconds: 1), HostTime(seconds: 10))
    let trigger = MoTrigger()
    for index in 0..<64 { trigger.fire(Float(index), at: later) }
    #expect(trigger.due(at: now) == nil)
    trigger.fire(0.9)
    #expect(trigger.due(at: now) == 0.9)
    for index in 64..<128 { #expect(trigger.fire(Float(index), at: later)) }
    #expect(trigger.due(at: now) == nil)
    #expect(!trigger.fire(0.9) && trigger.dropped == 1)
    for index in 0..<128 { #expect(trigger.due(at: later) == Float(index)) }
    #expect(trigger.due(at: later) == nil)
    #expect(trigger.fire(0.5) && trigger.due(at: now) == 0.5)
  }

  @Test("strikes fired by four threads at the same time all arrive, each once")
  func manyThreads() throws {
    let trigger = MoTrigger()
    let each = 20_000
    var threads: [MoThread] = []
    for index in 0..<4 {
      threads.append(
        try MoThread(name: "fire-\(index)") { _ in
          for count in 0..<each {
            let before = trigger.dropped
            _ = before
            trigger.fire(Float(index * each + count))
          }
        })
    }
    var last = [Int](repeating: -1, count: 4)
    var arrived = 0
    while true {
      if let force = trigger.due(at: .zero) {
        let (sender, number) = (Int(force) / each, Int(force) % each)
        #expect(number > last[sender])
        last[sender] = number
        arrived += 1
      } else if threads.allSatisfy(\.isFinished) {
        guard let force = trigger.due(at: .zero) else { break }
        #expect(Int(force) % each > last[Int(force) / each])
        last[Int(force) / each] = Int(force) % each
        arrived += 1
      }
    }
    for thread in threads { thread.join() }
    #expect(arrived + trigger.dropped == 4 * each)
    #expect(trigger.fire(0.5) && trigger.due(at: .zero) == 0.5)
  }

  @Test("a queue returns its elements in order, across threads")
  func queue() throws {
    let queue = MoQueue<Int>(capacity: 100)
    #expect(queue.capacity == 128)
    let producer = try MoThread(name: "producer") { _ in
      var next = 0
      while next < 200_000 { if queue.push(next) { next += 1 } }
    }
    var expected = 0
    while expected < 200_000 {
      if let element = queue.pop() {
        #expect(element == expected)
        expected += 1
      }
    }
    producer.join()
    #expect(queue.pop() == nil)
    #expect(queue.count == 0)
  }

  @Test("a full queue refuses and counts elements")
  func fullQueue() {
    let queue = MoQueue<Int>(capacity: 4)
    for index in 0..<6 { queue.push(index) }
    #expect(queue.dropped == 2)
    #expect(queue.peek() == 0)
    #expect((0..<4).map { _ in queue.pop() } == [0, 1, 2, 3])
  }
}
