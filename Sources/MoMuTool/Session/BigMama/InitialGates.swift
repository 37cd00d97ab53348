import MoCore
import MoOrchestra

/// A task that changes the room's gates once, so that all members play to this machine.
///
/// The task waits until the state of the room is known and the gates may be changed. If the rhythm runs without a
/// conductor, the task also takes the baton.
final class InitialGates: EventSource {
  let name = "centring"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private var complaint = ""

  /// The seconds between two attempts to change the gates.
  private static let pause = 0.1

  init(at now: HostTime) { nextTime = now }

  func service(until now: HostTime) {
    // The loop calls all its sources if any of them is due.
    guard let due = nextTime, due <= now else { return }
    nextTime = now.advanced(bySeconds: Self.pause)
    guard SessionServer.shared.look({ core, _ in core.hasArrived }) == true else { return }
    do {
      try BigMamaConsole.centralise(true)
      // After a crash the rhythm may continue without a conductor.
      if MoSession.beat.isPlaying(at: now), MoSession.conductor == nil {
        do { try MoSession.takeBaton() } catch { MoLog.log(.notice, "t takes the baton: \(error)") }
      }
      nextTime = nil
      Run.current.notice("all play to this machine: momu session gestures --room \(MoSession.room ?? "")")
    } catch {
      // Another member conducts: wait, and report it once.
      if complaint != "\(error)" { MoLog.log(.notice, "not all play to this machine yet: \(error)") }
      complaint = "\(error)"
    }
  }
}
