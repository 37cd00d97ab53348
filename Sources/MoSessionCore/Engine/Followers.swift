import MoCore

/// Programs that follow the beat without being members: each receives the beat for a while after it asks.
package struct Followers: Sendable {
  private var list: [SessionEndpoint: (next: HostTime, until: HostTime)] = [:]

  package init() {}

  /// Seconds between two beat messages to a follower.
  private static let interval = 0.05
  /// Seconds for which a follower receives the beat after its last request.
  private static let lease = 10.0
  /// The largest number of followers; requests of further programs are refused.
  static let most = 16

  /// The number of followers.
  package var count: Int { list.count }

  /// The time at which the next beat message is due.
  package var next: HostTime { list.values.reduce(.distantFuture) { min($0, $1.next) } }

  /// Adds a program that has asked for the beat, or renews its lease; false if there are too many followers.
  package mutating func add(_ endpoint: SessionEndpoint, now: HostTime) -> Bool {
    guard list[endpoint] != nil || list.count < Self.most else { return false }
    list[endpoint] = (list[endpoint]?.next ?? now, now.advanced(bySeconds: Self.lease))
    return true
  }

  /// Returns the followers whose beat message is due now, and schedules their next beat messages.
  package mutating func popDue(at now: HostTime) -> [SessionEndpoint] {
    list = list.filter { now < $0.value.until }
    let due = list.keys.filter { list[$0].map { now >= $0.next } == true }
    for endpoint in due { list[endpoint]?.next = now.advanced(bySeconds: Self.interval) }
    return due
  }

  package mutating func shift(by nanoseconds: Int64) {
    list = list.mapValues { ($0.next.shifted(by: nanoseconds), $0.until.shifted(by: nanoseconds)) }
  }

  /// Sends the beat to the followers that are due.
  mutating func send(_ beatClock: BeatClock, at now: HostTime, _ out: inout Effects) {
    guard now >= next else { return }
    let place = beatClock.position(at: now)
    let message = SessionMessage.BeatMessage(
      bar: Int32(clamping: place?.bar ?? 0), beat: Float(place?.beat ?? 0),
      tempo: Float(beatClock.tempo(at: now)?.beatsPerMinute ?? 0), isPlaying: beatClock.isPlaying(at: now),
      beatsPerBar: Int32(place?.meter.beatsPerBar ?? 0), total: Float(beatClock.beat(at: now) ?? 0))
    for endpoint in popDue(at: now) { out.send(.beat(message), to: endpoint) }
  }
}
