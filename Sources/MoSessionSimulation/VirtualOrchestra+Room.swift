import MoCore
import MoSessionCore

extension VirtualOrchestra {
  /// Returns an orchestra of `count` members that have joined one room and have found each other.
  package static func room(
    _ count: Int, on network: SimulatedNetwork = .wire, seed: UInt64 = 1,
    _ configure: (Int, inout SessionCore.Settings) -> Void = { _, _ in }
  ) -> VirtualOrchestra {
    var orchestra = VirtualOrchestra(count: count, network: network, seed: seed)
    for index in 0..<count {
      orchestra.configure(index) { configure(index, &$0) }
      orchestra.join(index)
      // The first founds the room.
      orchestra.run(to: orchestra.seconds + (index == 0 ? 0.6 : 0.05))
    }
    orchestra.run(to: orchestra.seconds + 2.5)
    return orchestra
  }

  /// Lets the given number of seconds pass.
  package mutating func pass(_ seconds: Double) { run(to: self.seconds + seconds) }

  /// Lets a member start the rhythm.
  package mutating func start(
    _ index: Int, _ change: (inout SessionCore.Beginning) -> Void = { _ in }
  ) throws(SessionRefusal) {
    var beginning = SessionCore.Beginning()
    change(&beginning)
    _ = try act(index) { core, now throws(SessionRefusal) in try core.start(beginning, now: now) }
  }

  /// Returns the core of a member that has joined and not crashed.
  package func core(_ index: Int) -> SessionCore { members[index].core! }
  /// Returns a member's ID.
  package func id(_ index: Int) -> MemberID { members[index].settings.identity.member }
  /// Returns the time of a member's host clock.
  package func host(_ index: Int) -> HostTime { members[index].host(at: now) }
  /// Returns the beat that a member shows; nil while there is none.
  package func beat(_ index: Int) -> Double? { members[index].beat(atNanoseconds: now) }
}
