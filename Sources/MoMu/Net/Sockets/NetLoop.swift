import CMoSystem
import Glibc
import MoTime
import Synchronization

/// The threads behind a server: `mo-net` reads the sockets and calls the callbacks; where a callback is slow,
/// `mo-relief` reads in its stead, so that the kernel's room does not fill and the newest value is never missed.
///
/// A message costs no hand-over between threads that way: the relief is woken by a timer, and only while there is
/// something to relieve.
final class NetLoop: Sendable {
  private let server: NetServer
  private let sockets: NetSockets
  private let inbound: NetInbound
  private let clock: any TimeSource
  private let interface: UInt32
  private let wake = MoSignal()
  private let isEnding = Atomic<Bool>(false)
  /// Held while datagrams are read and sorted, so that they stay in order.
  private let reading = MoMutex()
  /// Counts the turns of `mo-net`, and whether it is calling callbacks: an odd number says so.
  private let turns = Atomic<UInt64>(0)
  private let isArmed = Atomic<Bool>(false)
  private let timer = momu_timer()
  private let threads = Mutex<[MoThread]>([])

  /// How long a turn may take before the relief reads, in nanoseconds: while little comes, the kernel's room lasts;
  /// in a burst it does not.
  private static let patience: Int64 = 20_000_000
  private static let burstPatience: Int64 = 2_000_000
  /// So many datagrams at once are a burst.
  private static let burst = 16

  /// - Parameter interface: take only what comes by this one; 0 for all.
  init(server: NetServer, clock: any TimeSource, interface: UInt32) throws(MoThread.Failure) {
    self.server = server
    sockets = server.sockets
    inbound = server.inbound
    self.clock = clock
    self.interface = interface
    let main = try MoThread(name: "mo-net") { [self] _ in run() }
    let relief: MoThread
    do throws(MoThread.Failure) {
      relief = try MoThread(name: "mo-relief", stackBytes: 128 * 1024) { [self] _ in relieve() }
    } catch {
      isEnding.store(true, ordering: .releasing)
      wake.raise()
      main.join()
      throw error
    }
    threads.withLock { $0 = [main, relief] }
  }

  deinit { close(timer) }

  /// Wakes the loop, to see what has changed.
  func look() { wake.raise() }

  /// Ends both threads; returns when no callback runs, or at once from within one.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wake.raise()
    momu_timer_set(timer, 1)
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
  }

  private var goesOn: Bool { !isEnding.load(ordering: .acquiring) }

  // MARK: mo-net

  private func run() {
    momu_thread_set_timely(1)
    guard let inbox = NetInbox() else {
      return MoLog.log(.warning, "no memory to receive into: nothing will arrive")
    }
    let watch = momu_interface_watch()
    defer { if watch >= 0 { close(watch) } }
    while goesOn {
      let watched = sockets.watched
      var requests = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
      requests.append(pollfd(fd: watch, events: Int16(POLLIN), revents: 0))
      requests += watched.datagrams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      requests += watched.listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      // A connection waits while there is much to deliver: TCP then slows its sender down, and nothing is lost.
      let isFull = inbound.isHalfFull
      requests += watched.streams.map {
        let events = (isFull ? 0 : POLLIN) | ($0.wantsToWrite ? POLLOUT : 0)
        return pollfd(fd: $0.stream.descriptor, events: Int16(events), revents: 0)
      }
      while goesOn {
        let next = inbound.nextTime
        let pause =
          next.map { $0 == .distantPast ? 0 : max(0, $0.nanoseconds &- clock.now.nanoseconds) } ?? -1
        _ = momu_poll(&requests, UInt(requests.count), pause)
        guard !takeTurn(&requests, watched, inbox, watch) else { break }
      }
    }
  }

  /// Reads what has come and delivers what is due; whether what is watched may have changed.
  private func takeTurn(
    _ requests: inout [pollfd], _ watched: NetSockets.Watched, _ inbox: NetInbox, _ watch: Int32
  ) -> Bool {
    var hasChanged = false
    if requests[0].revents != 0 {
      wake.lower()
      hasChanged = true
    }
    if requests[1].revents != 0 {
      drain(watch)
      sockets.rejoin()
      server.networkChanged()
    }
    var place = 2
    var most = 0
    for socket in watched.datagrams {
      let events = requests[place].revents
      if events & Int16(POLLERR) != 0 {
        inbox.reports(of: socket) { address, error in server.undelivered(address, error) }
      }
      if events & Int16(POLLIN) != 0 { most = max(most, read(socket, inbox)) }
      place += 1
    }
    for listener in watched.listeners {
      if requests[place].revents != 0, server.accept(listener) { hasChanged = true }
      place += 1
    }
    for (stream, wantedToWrite) in watched.streams {
      let events = requests[place].revents
      var reason: String?
      if events & Int16(POLLOUT) != 0 { reason = sockets.flush(stream) }
      if reason == nil, events & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        reason = stream.read(into: inbound, clock: clock)
      }
      if let reason, sockets.drop(stream) { server.disconnected(stream, reason) }
      if reason != nil || wantedToWrite { hasChanged = true }
      place += 1
    }
    deliver(afterBurst: most >= Self.burst)
    return hasChanged || !watched.streams.isEmpty
  }

  private func deliver(afterBurst isBurst: Bool) {
    guard let next = inbound.nextTime, next == .distantPast || next <= clock.now else { return }
    turns.wrappingAdd(1, ordering: .releasing)
    let wasArmed = isArmed.exchange(true, ordering: .acquiringAndReleasing)
    if isBurst || !wasArmed {
      momu_timer_set(timer, isBurst ? Self.burstPatience : Self.patience)
    }
    inbound.deliver(for: server, while: { goesOn })
    turns.wrappingAdd(1, ordering: .releasing)
  }

  private func read(_ socket: NetSocket, _ inbox: NetInbox) -> Int {
    reading.withLock { inbox.read(socket, into: inbound, clock: clock, interface: interface) }
  }

  private func drain(_ watch: Int32) {
    var bytes = [UInt8](repeating: 0, count: 8192)
    while recv(watch, &bytes, bytes.count, 0) > 0 {}
  }

  // MARK: mo-relief

  private func relieve() {
    var inbox: NetInbox?
    var seen: UInt64 = 0
    while goesOn {
      var request = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
      _ = momu_poll(&request, 1, -1)
      var expirations: UInt64 = 0
      _ = Glibc.read(timer, &expirations, 8)
      guard goesOn else { return }
      let turn = turns.load(ordering: .acquiring)
      guard turn % 2 == 1 else {
        // Nothing to relieve: the next delivery sets the timer. One that began just now is looked at once more.
        isArmed.store(false, ordering: .sequentiallyConsistent)
        if turns.load(ordering: .sequentiallyConsistent) % 2 == 1,
          !isArmed.exchange(true, ordering: .acquiringAndReleasing)
        {
          momu_timer_set(timer, Self.patience)
        }
        continue
      }
      if turn == seen {
        if inbox == nil { inbox = NetInbox() }
        if let inbox { read(inbox, during: turn) }
      }
      seen = turns.load(ordering: .acquiring)
      momu_timer_set(timer, Self.burstPatience)
    }
  }

  /// Reads datagrams for as long as the same turn lasts.
  private func read(_ inbox: NetInbox, during turn: UInt64) {
    let datagrams = sockets.watched.datagrams
    var requests = datagrams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    while goesOn && turns.load(ordering: .acquiring) == turn {
      guard momu_poll(&requests, UInt(requests.count), Self.burstPatience) > 0 else { continue }
      for (socket, request) in zip(datagrams, requests) where request.revents & Int16(POLLIN) != 0 {
        while read(socket, inbox) > 0 && goesOn {}
      }
    }
  }
}
