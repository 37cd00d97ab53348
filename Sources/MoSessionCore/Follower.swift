import MoTime

/// A program that follows the beat without being a member: it asked, and is told for a while.
struct Follower: Hashable, Sendable {
  var next: HostTime
  var until: HostTime

  /// So often (s) it is told, and for so long after it asked last.
  static let interval = 0.05
  static let lease = 10.0
  /// Most that are told; more are not.
  static let most = 16
}

extension SessionCore {
  /// Tells a program the beat, once it has returned the key that it is sent first: its address may be forged.
  mutating func follow(_ endpoint: SessionEndpoint, key: Int32, now: HostTime) {
    let wanted = Int32(truncatingIfNeeded: path.token(for: endpoint))
    guard key == wanted else {
      if path.mayChallenge(0, at: now) {
        send(.follow(port: Int32(endpoint.port), key: wanted), to: endpoint)
      }
      return
    }
    guard followers[endpoint] != nil || followers.count < Follower.most else {
      counts.unwanted += 1
      return
    }
    followers[endpoint] = Follower(
      next: followers[endpoint]?.next ?? now, until: now.advanced(bySeconds: Follower.lease))
  }

  mutating func tellFollowers(at now: HostTime) {
    for (endpoint, follower) in followers {
      guard now < follower.until else {
        followers[endpoint] = nil
        continue
      }
      guard now >= follower.next else { continue }
      followers[endpoint]?.next = now.advanced(bySeconds: Follower.interval)
      let place = beatClock.position(at: now)
      send(
        .beat(
          SessionMessage.BeatNote(
            bar: Int32(clamping: place?.bar ?? 0), beat: Float(place?.beat ?? 0),
            tempo: Float(beatClock.tempo(at: now) ?? 0), isPlaying: beatClock.isPlaying(at: now),
            beatsPerBar: Int32(place?.meter.beatsPerBar ?? 0), total: Float(beatClock.beat(at: now) ?? 0))),
        to: endpoint)
    }
  }
}
