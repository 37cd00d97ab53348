import CMoSystem
import Glibc
import MoCore
import MoMu
import MoSessionCore

/// The thread `mo-session`: waits for datagrams and for the state machine's next deadline, whichever is first.
///
/// It is a thread of its own, since an answer to a ping must not wait behind a slow callback on `mo-net`.
struct SessionLoop {
  let server: SessionServer
  let sockets: SessionSockets
  let clock: any TimeSource
  let wake: WakeEvent

  /// The longest time between two checks for a sleep (suspend) of the machine, in nanoseconds.
  private static let longestPause: Int64 = 500_000_000
  /// The interval at which the loop updates the time of the file that saves the program's room, in nanoseconds.
  ///
  /// If the program is killed, the file's time shows when the program last ran.
  private static let pulse: Int64 = 30_000_000_000
  /// The shortest suspend after which the protocol is informed that the machine slept, in nanoseconds.
  private static let leastSleep: Int64 = 50_000_000

  func run(_ body: MoThread.Body) {
    momu_thread_set_timely(1)
    let system = SystemClock()
    var slept = system.slept
    var nextPulse = clock.now
    var requests = ([wake.descriptor, sockets.watch] + sockets.readable).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while !body.isCancelled {
      let next = server.tick()
      let pause = max(0, min(next.nanoseconds(since: clock.now), Self.longestPause))
      _ = momu_poll(&requests, UInt(requests.count), pause)
      // First, since the flag is for the next thread after a callback has left this room and joined another.
      if body.isCancelled { return }
      if requests[0].revents != 0 { wake.lower() }
      if requests[1].revents != 0 {
        sockets.drainWatch()
        sockets.lookAtInterfaces()
      }
      for request in requests.dropFirst(2) where request.revents != 0 {
        // A flood of datagrams must not delay due work: read some now, and the rest at the next turn.
        for _ in 0..<4 {
          let count = sockets.read(request.fd) { server.receive($0, from: $1, stamp: $2) }
          if count < 64 { break }
        }
      }
      if clock.now >= nextPulse {
        server.stillHere()
        nextPulse = clock.now.advanced(bySeconds: Double(Self.pulse) * 1e-9)
      }
      let asleep = system.slept
      if abs(asleep - slept) > Self.leastSleep {
        _ = server.perform { core, now in core.clockStepped(at: now) }
      }
      slept = asleep
    }
  }
}

/// A session in an offline render: it has no other members, and its time is counted in rendered frames.
final class OfflineSession: EventTimer {
  private let server: SessionServer
  private(set) var nextTime: HostTime? = .distantPast

  init(server: SessionServer) { self.server = server }

  let name = "session"

  func service(until now: HostTime) { nextTime = server.tick() }
}
