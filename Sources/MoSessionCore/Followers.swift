import MoCore

/// Programs that follow the beat without being members: each asked, and is told for a while.
struct Followers: Sendable {
  private var list: [SessionEndpoint: (next: HostTime, until: HostTime)] = [:]

  /// Seconds from one telling to the next.
  private static let interval = 0.05
  /// Seconds for which a follower is told after it asked last.
  private static let lease = 10.0
  /// Most followers; more are not told.
  static let most = 16

  /// How many there are.
  var count: Int { list.count }

  /// When one is to be told.
  var next: HostTime { list.values.reduce(.distantFuture) { min($0, $1.next) } }

  /// Notes that a program has asked; false if there are too many.
  mutating func add(_ endpoint: SessionEndpoint, now: HostTime) -> Bool {
    guard list[endpoint] != nil || list.count < Self.most else { return false }
    list[endpoint] = (list[endpoint]?.next ?? now, now.advanced(bySeconds: Self.lease))
    return true
  }

  /// Those who are to be told now.
  mutating func takeDue(at now: HostTime) -> [SessionEndpoint] {
    list = list.filter { now < $0.value.until }
    let due = list.keys.filter { list[$0].map { now >= $0.next } == true }
    for endpoint in due { list[endpoint]?.next = now.advanced(bySeconds: Self.interval) }
    return due
  }

  mutating func shift(by nanoseconds: Int64) {
    list = list.mapValues { ($0.next.shifted(by: nanoseconds), $0.until.shifted(by: nanoseconds)) }
  }
}

extension SessionCore {
  /// Tells a program the beat, once it has returned the key that it is sent first: its address may be forged.
  mutating func follow(_ endpoint: SessionEndpoint, key: Int32, now: HostTime) {
    let wanted = Int32(truncatingIfNeeded: path.token(for: endpoint))
    guard key == wanted else {
      if path.mayChallenge(endpoint, echo: 0, at: now) {
        send(.follow(port: Int32(endpoint.port), key: wanted), to: endpoint)
      }
      return
    }
    if !followers.add(endpoint, now: now) { counts.unwanted += 1 }
  }

  mutating func tellFollowers(at now: HostTime) {
    guard now >= followers.next else { return }
    let place = beatClock.position(at: now)
    let note = SessionMessage.BeatNote(
      bar: Int32(clamping: place?.bar ?? 0), beat: Float(place?.beat ?? 0),
      tempo: Float(beatClock.tempo(at: now) ?? 0), isPlaying: beatClock.isPlaying(at: now),
      beatsPerBar: Int32(place?.meter.beatsPerBar ?? 0), total: Float(beatClock.beat(at: now) ?? 0))
    for endpoint in followers.takeDue(at: now) { send(.beat(note), to: endpoint) }
  }
}
