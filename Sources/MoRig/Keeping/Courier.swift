import MoOSC
import MoProgram
import MoTime
import Synchronization

/// Looks names up, and sends statistics: what may have to wait for the network.
///
/// - Thread: one at a time, whom nobody waits for.
final class Courier: @unchecked Sendable {
  // Unchecked: one thread tends.
  private let targets: [RigTarget]
  private let observers: [RigTarget]
  private let streams: [RunningStream]
  private let statistics: RigStatistics
  private let period: Double
  private let clock: any TimeSource
  private var next: HostTime
  private let looked = Atomic<Bool>(false)

  /// Whether every target has been looked for once, found or not; any thread may ask.
  var hasLooked: Bool { looked.load(ordering: .acquiring) }

  /// - Parameters:
  ///   - targets: all that somebody sends to.
  ///   - observers: those of them that are sent statistics.
  ///   - rig: what the rig is called.
  ///   - period: seconds between two statistics; 0 for none.
  init(
    targets: [RigTarget], observers: [RigTarget], streams: [RunningStream], rig: String, every period: Double,
    clock: any TimeSource
  ) {
    self.targets = targets
    self.observers = observers
    self.streams = streams
    self.period = period
    self.clock = clock
    statistics = RigStatistics(rig: rig, started: clock.now)
    next = clock.now.advanced(bySeconds: period)
  }

  /// Does what is due; a name may take as long as the network likes.
  func tend() {
    for target in targets { target.look(now: clock.now) }
    looked.store(true, ordering: .releasing)
    let now = clock.now
    guard period > 0, now >= next else { return }
    next = now.advanced(bySeconds: period)
    for message in messages(now) { tell(message, now) }
  }

  private func tell(_ message: OSCMessage, _ now: HostTime) {
    do throws(OSCError) {
      try message.encoded().withUnsafeBytes { packet in
        for observer in observers { observer.send(packet, now: now) }
      }
    } catch {
      for observer in observers { observer.refuse(error, now: now) }
    }
  }

  private func messages(_ now: HostTime) -> [OSCMessage] {
    let counts = targets.map(\.counts)
    let sent = counts.reduce(0) { $0 + $1.sent }
    let unsent = counts.reduce(0) { $0 + $1.unsent }
    return [statistics.ofRig(sent: sent, unsent: unsent, now: now)]
      + streams.map { stream in
        let counts = stream.sender.counts
        return statistics.ofSensor(
          stream.plan.title, source: stream.sensor.source(), readings: counts.readings,
          messages: counts.messages, lastHeard: counts.lastHeard, now: now)
      }
  }
}
