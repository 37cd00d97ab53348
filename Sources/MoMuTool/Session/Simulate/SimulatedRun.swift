import MoSessionCore
import MoSessionSimulation

/// One run of a virtual orchestra, and its measurements.
///
/// Members join half a second apart, or closer if they are many, so that all join within about ten seconds. At 0.6 s,
/// the first member starts the rhythm. The beats of all members are compared every 10 ms of simulated time.
struct SimulatedRun {
  private(set) var orchestra: VirtualOrchestra
  /// The length of the run in seconds, from the first member's arrival to the end.
  let length: Double
  /// The spreads of the beat, in ms, at all comparisons after the members have settled; `play()` sorts them in
  /// ascending order.
  ///
  /// A spread is the difference between the largest and the smallest beat, converted to ms at the current tempo. A
  /// member is left out until its beat agrees with the others' beats after its arrival. The members have settled 10
  /// seconds after all have arrived (`complete`), or halfway from `complete` to the end if that is earlier.
  private(set) var spreads: [Double] = []
  /// The largest spread of the beat, in ms, in each of 60 equal stretches of the whole run; unlike `spreads`, this
  /// includes the time before the members have settled.
  private(set) var spreadByStretch = [Double](repeating: 0, count: stretches)
  /// The packets per second that all members together sent, in each of 60 equal stretches of the whole run.
  private(set) var traffic = [Double](repeating: 0, count: stretches)
  /// All arrivals of members, also after crashes, except the first arrival of the founder.
  private(set) var arrivals: [Arrival] = []
  /// The time for which each member was present, in seconds, in the order of the members.
  private(set) var presence: [Double]

  static let stretches = 60
  private static let settling = 10.0
  private static let step = 0.01

  private let pause: Double
  private let churn: Double
  private var nextLoss: Double
  private var nextToCrash = 0
  private var missing: (member: Int, until: Double)?
  private var sent = 0

  /// - Parameters:
  ///   - skew: the largest relative error of the members' clocks, such as 50e-6.
  ///   - churn: the seconds between two crashes of members; 0 for no crashes.
  ///   - seconds: the length of the run after the last arrival.
  init(members: Int, network: SimulatedNetwork, skew: Double, churn: Double, seconds: Double, seed: UInt64) {
    orchestra = VirtualOrchestra(count: members, network: network, skew: skew, seed: seed)
    presence = Array(repeating: 0, count: members)
    pause = min(0.5, 10 / Double(members))
    length = Double(members - 1) * pause + 0.6 + seconds
    self.churn = churn
    nextLoss = churn > 0 ? length - seconds + churn : .infinity
  }

  /// The time at which all members have arrived, in seconds from the start of the run.
  ///
  /// This time is later than the last arrival by `pause`, the interval between two arrivals.
  private var complete: Double { 0.6 + Double(orchestra.members.count - 1) * pause }

  mutating func play() {
    var come = 0
    let steps = Int(length / Self.step)
    for step in 0..<steps {
      let time = Double(step) * Self.step
      orchestra.run(to: time)
      while come < orchestra.members.count, time >= (come == 0 ? 0 : 0.6 + Double(come - 1) * pause) {
        join(come)
        come += 1
      }
      if step == Int(0.6 / Self.step) {
        _ = try? orchestra.act(0) { core, now throws(SessionRefusal) in try core.start(.init(), now: now) }
      }
      loseOne(at: time)
      measure(at: time, stretch: step * Self.stretches / steps)
    }
    spreads.sort()
  }

  private mutating func join(_ member: Int) {
    orchestra.join(member)
    if member > 0 || orchestra.seconds > 0 {
      arrivals.append(Arrival(member: member, came: orchestra.seconds))
    }
  }

  /// Makes a member crash when the next crash is due: the members crash in turn, the conductor included.
  ///
  /// The member joins again 3 s after its crash.
  private mutating func loseOne(at time: Double) {
    if let missing, time >= missing.until {
      join(missing.member)
      self.missing = nil
    }
    guard time >= nextLoss, missing == nil, orchestra.members.count > 1 else { return }
    nextLoss = time + churn
    orchestra.crash(nextToCrash)
    for index in arrivals.indices where arrivals[index].member == nextToCrash { arrivals[index].leave() }
    missing = (nextToCrash, time + 3)
    nextToCrash = (nextToCrash + 1) % orchestra.members.count
  }

  private mutating func measure(at time: Double, stretch: Int) {
    let total = orchestra.members.reduce(0) { $0 + $1.sent.datagrams }
    traffic[stretch] += Double(total - sent) * Double(Self.stretches) / length
    sent = total
    for index in presence.indices where orchestra.members[index].core != nil { presence[index] += Self.step }

    var beats: [Double] = []
    let coming = Set(arrivals.lazy.filter(\.isUnderWay).map(\.member))
    for (index, member) in orchestra.members.enumerated() where !coming.contains(index) {
      if let beat = member.beat(atNanoseconds: orchestra.now) { beats.append(beat) }
    }
    guard !beats.isEmpty else { return }
    beats.sort()
    let milliseconds = 60_000 / tempo
    let spread = (beats[beats.count - 1] - beats[0]) * milliseconds
    spreadByStretch[stretch] = max(spreadByStretch[stretch], spread)
    if time >= min(complete + Self.settling, length / 2 + complete / 2) { spreads.append(spread) }
    for index in arrivals.indices where arrivals[index].isUnderWay {
      let beat = orchestra.members[arrivals[index].member].beat(atNanoseconds: orchestra.now)
      arrivals[index].add(error: beat.map { ($0 - beats[beats.count / 2]) * milliseconds }, at: time)
    }
  }

  private var tempo: Double {
    for member in orchestra.members {
      if let tempo = member.tempo(atNanoseconds: orchestra.now), tempo > 0 { return tempo }
    }
    return 120
  }
}

/// The arrival of a member, observed until the member's beat agrees with the beats of the others.
struct Arrival {
  let member: Int
  /// The time of the member's arrival, in seconds from the start of the run.
  let came: Double
  /// The seconds from the arrival until the member's beat came within 1 ms of the median of the others' beats and
  /// stayed there for a second.
  ///
  /// The value is nil if this has not happened yet.
  private(set) var seconds: Double?
  /// Whether the member is still observed: true until the member's beat agrees with the others' beats, or until the
  /// member crashes.
  private(set) var isUnderWay = true

  private var near: Double?

  init(member: Int, came: Double) { (self.member, self.came) = (member, came) }

  /// Adds a comparison of the member's beat with the others' beats.
  ///
  /// - Parameters:
  ///   - error: the member's beat minus the median of the others' beats, in ms; nil while the member has no beat.
  ///   - time: the time of the comparison, in seconds from the start of the run.
  mutating func add(error: Double?, at time: Double) {
    guard let error, abs(error) < 1 else {
      near = nil
      return
    }
    let start = near ?? time
    near = start
    guard time - start >= 1 else { return }
    (seconds, isUnderWay) = (start - came, false)
  }

  /// Ends the observation of the arrival, because the member has crashed.
  mutating func leave() { isUnderWay = false }
}
