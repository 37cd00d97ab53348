import MoCore
import MoOSC
import MoRuntime

/// The part of a rig that looks up its targets, polls them and sends the rig's statistics.
///
/// Each lookup of a name runs on a thread of its own, since it may take half a minute. So a name that the network does
/// not know delays no other target, and no statistics.
///
/// - Thread: any, but one at a time.
package final class TargetResolver: Sendable {
  private let started: HostTime
  private let clock: any TimeSource
  private let isOffline: Bool
  private let current: Locked<RigState>
  /// The period of the statistics, in seconds, and the time of the next statistics.
  private let next: Locked<(period: Double, time: HostTime)>

  /// Whether every target has been looked up once, found or not; any thread may ask.
  package var hasLooked: Bool { current.withLock { $0.targets }.allSatisfy(\.hasLooked) }

  /// - Parameters:
  ///   - state: the present state of the rig.
  ///   - isOffline: whether `update` waits for each lookup, as in virtual time.
  package init(_ state: Locked<RigState>, clock: any TimeSource, isOffline: Bool) {
    current = state
    self.clock = clock
    self.isOffline = isOffline
    started = clock.now
    let period = state.withLock { $0.configuration.statistics }
    next = Locked((period: period, time: clock.now.advanced(bySeconds: period)))
  }

  /// Does the work that is due; the lookup of a name may last longer than this call.
  package func update() {
    let state = current.withLock { $0 }
    for target in state.targets {
      if target.beginsLookup(now: clock.now) { lookUp(target) }
      target.updateLink(now: clock.now)
    }
    let now = clock.now
    let period = state.configuration.statistics
    let isDue = next.withLock { next in
      // After a change of the period, the new period begins now.
      if next.period != period { next = (period, now.advanced(bySeconds: period)) }
      guard period > 0, now >= next.time else { return false }
      next.time = now.advanced(bySeconds: period)
      return true
    }
    guard isDue else { return }
    let statistics = RigStatistics(rig: state.name, started: started)
    for message in statistics.all(of: state, now: now) { send(message, state.observers, now) }
  }

  /// Looks up a target, on a thread of its own if the target has a name.
  private func lookUp(_ target: RigTarget) {
    let clock = clock
    guard target.hasName, !isOffline else { return target.lookUp { clock.now } }
    let thread = try? MoThread(name: "mo-names") { _ in target.lookUp { clock.now } }
    // Without a thread, the lookup delays the other targets.
    if thread == nil { target.lookUp { clock.now } }
  }

  private func send(_ message: OSCMessage, _ observers: [RigTarget], _ now: HostTime) {
    do throws(OSCError) {
      try message.encoded().withUnsafeBytes { packet in
        for observer in observers { observer.send(packet, now: now) }
      }
    } catch {
      for observer in observers { observer.refuse(error, now: now) }
    }
  }
}
