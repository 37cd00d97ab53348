import MoCore
import MoSessionCore
import Testing

@Suite("Acknowledged streams")
struct PlayStreamTests {
  static func message(_ pitch: Float) -> PlayMessage {
    PlayMessage(
      from: Sample.other, to: Sample.me, stream: 0, number: 0, first: 0, stamp: nil,
      play: .note(SessionNote(pitch: pitch)))
  }

  static func pitches(_ messages: [PlayMessage]) -> [Float] {
    messages.compactMap { message in
      guard case .note(let note) = message.play else { return nil }
      return note.pitch
    }
  }

  /// A window to one receiver, and the messages it sends.
  private struct Line {
    var window: SendWindow
    var trips: [MemberID: RoundTrip] = [:]
    var losses: [SendWindow.Loss] = []
    private let receiver = Sample.me

    init(count: Int32 = 1) {
      window = SendWindow(PlayQueue(to: Sample.me, isShared: false), count: count)
    }

    /// Queues a message and sends it.
    mutating func send(_ pitch: Float, at now: HostTime = .zero, until end: HostTime? = nil) -> PlayMessage? {
      let refused = window.add(
        PlayStreamTests.message(pitch), to: [receiver], until: end ?? now.advanced(bySeconds: 5), at: now)
      return refused.isEmpty ? collect(at: now).last : nil
    }

    mutating func collect(at now: HostTime) -> [PlayMessage] {
      var due = SendWindow.Due()
      window.collect(at: now, milliseconds: nil, multicastTimeout: 2, trips, into: &due)
      for id in due.expired { trips[id, default: RoundTrip()].expired() }
      losses += due.losses
      return due.messages[receiver] ?? []
    }

    var next: HostTime { window.next(multicastTimeout: 2, trips) }

    mutating func acknowledge(_ latest: Int32, received: UInt64, at now: HostTime) -> SendWindow.Answer {
      let ack = Ack(
        sender: Sample.other, stream: window.stream, latest: latest, received: received,
        waits: received & 1 != 0)
      let answer = window.receive(ack, from: receiver, isMulticast: false, smoothed: 0.01, at: now)
      losses += answer.losses
      return answer
    }
  }

  @Test("an acknowledgement after a stroke was given up shows that messages get through")
  func lateAcknowledgement() throws {
    var line = Line()
    let sent = line.send(60, until: HostTime(seconds: 0.3))
    let first = try #require(sent)
    _ = line.send(61, until: HostTime(seconds: 0.6))
    _ = line.collect(at: HostTime(seconds: 0.7))
    #expect(line.window.waiting.isEmpty)
    let latest = first.number + 1
    let answer = line.acknowledge(latest, received: 0b01, at: HostTime(seconds: 1.5))
    #expect(answer.isNew)
    #expect(line.losses.count == 1)
    let repeated = line.acknowledge(latest, received: 0b01, at: HostTime(seconds: 1.6))
    #expect(!repeated.isNew)
  }

  @Test("messages are delivered once and in order, whatever the order and number of their arrivals")
  func order() {
    var line = Line()
    var received = ReceiveWindow()
    func deliver(_ message: PlayMessage) -> [Float] { Self.pitches(received.receive(message)) }
    let sent = (1...5).map { line.send(Float($0))! }
    #expect(deliver(sent[1]) == [])
    #expect(deliver(sent[4]) == [])
    #expect(deliver(sent[0]) == [1, 2])
    #expect(deliver(sent[0]) == [])
    #expect(deliver(sent[3]) == [])
    #expect(deliver(sent[2]) == [3, 4, 5])
    #expect(received.streams[0]?.next == 6)
    #expect(received.streams[0]?.received == 0b11111)
  }

  @Test(
    "a message is retransmitted after RFC 6298's timeout, doubled each time until acknowledged, and given up after 5 s"
  )
  func again() {
    var line = Line()
    _ = line.send(1)
    _ = line.send(2)
    var times: [Double] = []
    while line.next < HostTime(seconds: 3.5) {
      let now = line.next
      #expect(line.collect(at: now).count == 2)
      times.append(now.seconds)
    }
    // 0.1 s before the first measurement, 1 s at most.
    #expect(times.map { ($0 * 1000).rounded() } == [100, 300, 700, 1500, 2500])
    #expect(line.acknowledge(1, received: 1, at: HostTime(seconds: 3.5)).isNew)
    #expect(line.window.waiting.map(\.message.number) == [2])
    #expect(line.collect(at: HostTime(seconds: 5)).isEmpty)
    #expect(line.losses.count == 1)
    #expect(line.next == .distantFuture)
  }

  @Test("the timeout follows the round-trip time by RFC 6298, within 20 ms and 1 s")
  func timeout() {
    var trip = RoundTrip()
    #expect(trip.timeout == 0.1)
    trip.add(0.1)
    // SRTT = R, RTTVAR = R / 2, RTO = SRTT + 4 RTTVAR.
    #expect(abs(trip.timeout - 0.3) < 1e-9)
    trip.add(0.2)
    // RTTVAR = 3/4 · 50 + 1/4 · |100 - 200| = 62.5 ms, SRTT = 7/8 · 100 + 1/8 · 200 = 112.5 ms.
    #expect(abs(trip.timeout - 0.3625) < 1e-9)
    trip.expired()
    #expect(abs(trip.timeout - 0.725) < 1e-9)
    for _ in 0..<20 { trip.expired() }
    #expect(trip.timeout == 1)
    trip.answered()
    for _ in 0..<100 { trip.add(0.0003) }
    #expect(trip.timeout == 0.02)
    trip.add(.nan)
    trip.add(-1)
    #expect(trip.timeout == 0.02)
  }

  @Test("only messages missing in an acknowledgement are retransmitted before their timeout")
  func hole() {
    var line = Line()
    for pitch in 1...3 { _ = line.send(Float(pitch)) }
    let answer = line.acknowledge(3, received: 0b101, at: HostTime(seconds: 0.02))
    #expect(answer.isLost && answer.roundTrip == 0.02)
    #expect(line.collect(at: HostTime(seconds: 0.021)).map(\.number) == [2])
    // It is under way: an acknowledgement sent before its arrival causes no retransmission.
    #expect(!line.acknowledge(3, received: 0b101, at: HostTime(seconds: 0.025)).isLost)
    #expect(line.collect(at: HostTime(seconds: 0.026)).isEmpty)
    // A message that was sent twice gives no round-trip time (Karn).
    #expect(line.acknowledge(3, received: 0b111, at: HostTime(seconds: 0.03)).roundTrip == nil)
    #expect(line.window.waiting.isEmpty)
  }

  @Test("given-up messages are skipped, and later ones are delivered")
  func givenUp() throws {
    var line = Line()
    var received = ReceiveWindow()
    func deliver(_ message: PlayMessage) -> [Float] { Self.pitches(received.receive(message)) }
    _ = line.send(1)
    let second = line.send(2, at: HostTime(seconds: 3))!
    #expect(deliver(second) == [])
    let messages = line.collect(at: HostTime(seconds: 5))
    #expect(messages.map(\.first) == [2])
    #expect(deliver(try #require(messages.first)) == [2])
    #expect(deliver(second) == [])
    #expect(line.losses.map(\.address) == [.note])
  }

  @Test(
    "a receiver that waits for a given-up message gets the next number, even without other messages")
  func correction() throws {
    var line = Line()
    var received = ReceiveWindow()
    func deliver(_ message: PlayMessage) -> [Float] { Self.pitches(received.receive(message)) }
    _ = line.send(1, until: HostTime(seconds: 0.2))
    #expect(deliver(line.send(2)!) == [])
    #expect(received.waits)
    _ = line.acknowledge(2, received: 1, at: HostTime(seconds: 0.01))
    _ = line.collect(at: HostTime(seconds: 0.2))
    let answer = line.acknowledge(2, received: 1, at: HostTime(seconds: 0.25))
    #expect(deliver(try #require(answer.correction)) == [2])
    #expect(!received.waits)
    // The first may still be under way for a while.
    #expect(line.losses.isEmpty)
    _ = line.acknowledge(2, received: 1, at: HostTime(seconds: 0.8))
    #expect(line.losses.count == 1)
  }

  @Test("a stream starts anew if the sender has met us anew, and delivers no earlier message again")
  func anew() {
    var (old, new) = (Line(count: 1), Line(count: 2))
    var received = ReceiveWindow()
    func deliver(_ message: PlayMessage) -> [Float] { Self.pitches(received.receive(message)) }
    let before = old.send(1)!
    #expect(deliver(before) == [1])
    let (after, other) = (new.send(2)!, old.send(3)!)
    #expect(deliver(after) == [2])
    #expect(deliver(before) == [])
    #expect(deliver(other) == [])
  }

  @Test("a stream keeps its limits: 64 in the queue, 64 ahead of their turn")
  func bounds() {
    var line = Line()
    var received = ReceiveWindow()
    func deliver(_ message: PlayMessage) -> [Float] { Self.pitches(received.receive(message)) }
    for index in 0..<100 { #expect((line.send(Float(index)) == nil) == (index >= 64)) }
    var message = Self.message(1)
    (message.stream, message.first) = (4, 1)
    for number in Int32(2)...1000 {
      message.number = number
      #expect(deliver(message) == [])
    }
    message.number = 1
    #expect(deliver(message).count == 64)
  }

  @Test("shared data is sent four messages at a time, and the rest as they are acknowledged")
  func shared() {
    var window = SendWindow(PlayQueue(to: Sample.me, isShared: true), count: 1)
    for _ in 0..<32 {
      _ = window.add(
        Self.message(1), to: [Sample.me], until: HostTime(seconds: 5), at: .zero)
    }
    var due = SendWindow.Due()
    window.collect(at: .zero, milliseconds: nil, multicastTimeout: 2, [:], into: &due)
    #expect(due.messages[Sample.me]?.map(\.number) == [1, 2, 3, 4])
    let ack = Ack(sender: Sample.other, stream: window.stream, latest: 2, received: 0b11)
    _ = window.receive(ack, from: Sample.me, isMulticast: false, smoothed: nil, at: .zero)
    due = SendWindow.Due()
    window.collect(at: .zero, milliseconds: nil, multicastTimeout: 2, [:], into: &due)
    #expect(due.messages[Sample.me]?.map(\.number) == [5, 6])
  }

  @Test("numbers outside streams wrap around: the first after the last counts as newer")
  func round() throws {
    var received = ReceiveWindow()
    func isNewest(_ message: PlayMessage) -> Bool { received.isNewest(message) }
    for play in [SessionPlay.gesture(SessionGesture(activity: 1)), .change(SessionChange("a", 1))] {
      var message = Sample.message(play, stream: 0)
      for number in [Int32.max - 1, .max, .min, .min + 1] {
        (message.number, message.first) = (number, number)
        #expect(isNewest(message))
        #expect(!isNewest(message))
        guard case .play(let again) = try SessionMessage(datagram: SessionMessage.play(message).encoded())
        else {
          Issue.record("no message")
          continue
        }
        #expect(again == message)
      }
      message.number = .max
      #expect(!isNewest(message))
    }
  }

  @Test("an overtaken value or gesture is dropped")
  func newest() {
    var received = ReceiveWindow()
    func isNewest(_ message: PlayMessage) -> Bool { received.isNewest(message) }
    var message = Sample.message(.change(SessionChange("a", 1)), stream: 0)
    #expect(isNewest(message))
    #expect(!isNewest(message))
    message.number = 6
    #expect(!isNewest(message))
    message.play = .change(SessionChange("b", 1))
    #expect(isNewest(message))
    message.play = .gesture(SessionGesture(activity: 1))
    #expect(isNewest(message))
    message.number = 5
    #expect(!isNewest(message))
    for index in 0..<100 {
      message.play = .change(SessionChange("c\(index)", 1))
      #expect(isNewest(message) == (index < 62))
    }
  }
}
