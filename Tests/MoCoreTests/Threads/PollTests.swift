import CMoSystem
import Glibc
import MoCore
import Synchronization
import Testing

/// Serial: each test sets the process's handler of a signal.
@Suite("Waiting in a poll", .serialized)
struct PollTests {
  private final class Shared: Sendable {
    let thread = Atomic<UInt>(0)
    let results = Locked<[Int32]>([])
    let flag = WakeEvent()
    let done = Atomic<Bool>(false)
  }

  @Test(
    "continues after a signal, until a descriptor is ready or the time is over",
    arguments: [-1, 600])
  func interrupted(_ seconds: Int64) throws {
    // Without SA_RESTART; a poll is never restarted by the kernel in any case.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    var before = sigaction()
    sigaction(SIGUSR2, &action, &before)
    defer { sigaction(SIGUSR2, &before, nil) }
    let shared = Shared()
    let thread = try MoThread(name: "poll") { _ in
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGUSR2)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      shared.thread.store(UInt(pthread_self()), ordering: .releasing)
      var request = pollfd(fd: shared.flag.descriptor, events: Int16(POLLIN), revents: 0)
      let result = momu_poll(&request, 1, seconds < 0 ? -1 : seconds * 1_000_000_000)
      shared.results.withLock { $0.append(result) }
      shared.done.store(true, ordering: .releasing)
    }
    while shared.thread.load(ordering: .acquiring) == 0 { sched_yield() }
    for _ in 0..<200 where !shared.done.load(ordering: .acquiring) {
      pthread_kill(pthread_t(shared.thread.load(ordering: .acquiring)), SIGUSR2)
      usleep(200)
    }
    shared.flag.raise()
    thread.join()
    #expect(shared.results.withLock { $0 } == [1])
  }
}
