import MoCore
import MoOSC
import MoRuntime
import Synchronization

/// The part of a rig that looks up its targets and sends its statistics: work that may wait for the network.
///
/// - Thread: any, but one at a time; no other thread may wait for this thread, since a lookup may take long.
final class TargetResolver: Sendable {
  private let statistics: RigStatistics
  private let clock: any TimeSource
  private let current: Locked<RigState>
  private let next: Locked<HostTime?>
  private let looked = Atomic<Bool>(false)

  /// Whether every target has been looked up once, found or not; any thread may ask.
  var hasLooked: Bool { looked.load(ordering: .acquiring) }

  /// - Parameters:
  ///   - state: the present state of the rig.
  ///   - rig: the name of the rig.
  init(_ state: Locked<RigState>, rig: String, clock: any TimeSource) {
    current = state
    self.clock = clock
    statistics = RigStatistics(rig: rig, started: clock.now)
    next = Locked(clock.now.advanced(bySeconds: state.withLock { $0.configuration.statistics }))
  }

  /// Does the work that is due; looking up a name may take any time.
  func tend() {
    let state = current.withLock { $0 }
    for target in state.targets { target.tend(now: clock.now) }
    looked.store(true, ordering: .releasing)
    let now = clock.now
    let period = state.configuration.statistics
    let isDue = next.withLock { next in
      guard period > 0, now >= next ?? now else { return false }
      next = now.advanced(bySeconds: period)
      return true
    }
    guard isDue else { return }
    for message in statistics.all(of: state, now: now) { tell(message, state.observers, now) }
  }

  private func tell(_ message: OSCMessage, _ observers: [RigTarget], _ now: HostTime) {
    do throws(OSCError) {
      try message.encoded().withUnsafeBytes { packet in
        for observer in observers { observer.send(packet, now: now) }
      }
    } catch {
      for observer in observers { observer.refuse(error, now: now) }
    }
  }
}
