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
  private let wake = MoSignal()
  private let isEnding = Atomic<Bool>(false)
  /// Held while datagrams are read and sorted, so that they stay in order.
  private let reading = MoMutex()
  /// Counts the turns of `mo-net`, and whether it is calling callbacks: an odd number says so.
  private let turns = Atomic<UInt64>(0)
  private let isArmed = Atomic<Bool>(false)
  /// Set by the relief when `mo-net` should leave off delivering for a moment and see to a connection.
  private let isOverdue = Atomic<Bool>(false)
  /// When connections are taken again, after the system had no room for one.
  private let nextAccept = Atomic<Int64>(.min)
  private let timer = momu_timer()
  private let threads = Guarded<[MoThread]>([])

  /// How long a turn may take before the relief reads, in nanoseconds: while little comes, the kernel's room lasts;
  /// in a burst it does not.
  private static let patience: Int64 = 20_000_000
  private static let burstPatience: Int64 = 2_000_000
  /// So many datagrams at once are a burst.
  private static let burst = 16
  /// How often the relief looks whether `mo-net` should leave off delivering for a connection, in nanoseconds.
  private static let longestDelivery: Int64 = 100_000_000
  /// How long the system is left alone after it had no room for a connection.
  private static let acceptPause: Int64 = 1_000_000_000
  /// How long something waits for its time before it is looked whether the wall clock was set or the machine slept.
  private static let longestSleep: Int64 = 100_000_000

  /// - Throws: `NetError.system`.
  init(server: NetServer, clock: any TimeSource) throws(NetError) {
    self.server = server
    sockets = server.sockets
    inbound = server.inbound
    self.clock = clock
    guard wake.descriptor >= 0, timer >= 0 else {
      throw .system("the network cannot be used: the program has too many files open (ulimit -n)")
    }
    var started: [MoThread] = []
    do throws(MoThread.Failure) {
      started.append(try MoThread(name: "mo-net") { [self] _ in run() })
      started.append(try MoThread(name: "mo-relief", stackBytes: 128 * 1024) { [self] _ in relieve() })
    } catch {
      isEnding.store(true, ordering: .releasing)
      wake.raise()
      for thread in started { thread.join() }
      throw .system(error.description)
    }
    threads.withLock { $0 = started }
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
    var interfaces = NetInterface.all()
    while goesOn {
      let watched = sockets.watched
      var requests = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
      requests.append(pollfd(fd: watch, events: Int16(POLLIN), revents: 0))
      requests += watched.datagrams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      let mayAccept = clock.now.nanoseconds >= nextAccept.load(ordering: .relaxed)
      requests += self.requests(for: watched, mayAccept: mayAccept)
      while goesOn {
        let pause = pause
        _ = momu_poll(&requests, UInt(requests.count), pause < 0 && !mayAccept ? Self.longestSleep : pause)
        if requests[1].revents != 0 { look(at: watch, &interfaces) }
        guard !takeTurn(&requests, watched, inbox), mayAccept else { break }
      }
    }
  }

  /// What to wait for by the listeners and the connections, in this order.
  private func requests(for watched: NetSockets.Watched, mayAccept: Bool) -> [pollfd] {
    // A connection waits while there is much to deliver: TCP then slows its sender down, and nothing is lost.
    let isBusy = inbound.isBusy
    return watched.listeners.map {
      pollfd(fd: $0.descriptor, events: mayAccept ? Int16(POLLIN) : 0, revents: 0)
    }
      + watched.streams.map {
        let events = (isBusy ? 0 : POLLIN) | ($0.wantsToWrite ? POLLOUT : 0)
        return pollfd(fd: $0.stream.descriptor, events: Int16(events), revents: 0)
      }
  }

  /// Nanoseconds until there is something to do; -1 while nothing waits.
  private var pause: Int64 {
    guard let next = inbound.nextTime else { return -1 }
    guard next != .distantPast else { return 0 }
    return min(max(0, next.nanoseconds &- clock.now.nanoseconds), Self.longestSleep)
  }

  /// Sees whether the network has changed: Wi-Fi and IPv6 report much that leaves all as it was.
  private func look(at watch: Int32, _ interfaces: inout [NetInterface]) {
    var bytes = [UInt8](repeating: 0, count: 8192)
    while recv(watch, &bytes, bytes.count, 0) > 0 {}
    let now = NetInterface.all()
    guard now != interfaces else { return }
    interfaces = now
    sockets.rejoin()
    server.networkChanged()
  }

  /// Reads what has come and delivers what is due; whether what is watched may have changed.
  private func takeTurn(
    _ requests: inout [pollfd], _ watched: NetSockets.Watched, _ inbox: NetInbox
  ) -> Bool {
    var hasChanged = false
    if requests[0].revents != 0 {
      wake.lower()
      hasChanged = true
    }
    var place = 2
    var most = 0
    for socket in watched.datagrams {
      let events = requests[place].revents
      if events & Int16(POLLERR) != 0 { takeReports(of: socket, inbox) }
      if events & Int16(POLLIN) != 0 { most = max(most, read(socket, inbox)) }
      place += 1
    }
    for listener in watched.listeners {
      if requests[place].revents != 0 {
        hasChanged = true
        if !server.accept(listener) {
          nextAccept.store(clock.now.nanoseconds &+ Self.acceptPause, ordering: .relaxed)
        }
      }
      place += 1
    }
    // Each is the first in its turn, so that one that never rests does not keep the others waiting.
    let first = watched.streams.isEmpty ? 0 : Int(turns.load(ordering: .relaxed) / 2) % watched.streams.count
    for index in watched.streams.indices.map({ ($0 + first) % watched.streams.count }) {
      let (stream, wantedToWrite) = watched.streams[index]
      let events = requests[place + index].revents
      var reason: String?
      if events & Int16(POLLOUT) != 0 { reason = sockets.flush(stream) }
      if reason == nil, events & Int16(POLLIN | POLLHUP | POLLERR) != 0, !inbound.isBusy {
        reason = stream.read(into: inbound, clock: clock)
      }
      if let reason, sockets.drop(stream) { server.disconnected(stream, reason) }
      if reason != nil || wantedToWrite { hasChanged = true }
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
    isOverdue.store(false, ordering: .relaxed)
    inbound.deliver(for: server, while: { goesOn && !isOverdue.load(ordering: .relaxed) })
    turns.wrappingAdd(1, ordering: .releasing)
  }

  private func read(_ socket: NetSocket, _ inbox: NetInbox) -> Int {
    reading.withLock {
      inbox.read(
        socket, into: inbound, clock: clock, interface: server.interface.load(ordering: .relaxed))
    }
  }

  private func takeReports(of socket: NetSocket, _ inbox: NetInbox) {
    inbox.reports(of: socket) { address, error in server.undelivered(address, error) }
  }

  // MARK: mo-relief

  private func relieve() {
    momu_thread_set_timely(1)
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

  /// Whether there is something to do for listeners or connections, which `mo-net` alone sees to.
  private var connectionsWait: Bool {
    let mayAccept = clock.now.nanoseconds >= nextAccept.load(ordering: .relaxed)
    var requests = requests(for: sockets.watched, mayAccept: mayAccept)
    return momu_poll(&requests, UInt(requests.count), 0) > 0
  }

  /// Reads datagrams for as long as the same turn lasts.
  private func read(_ inbox: NetInbox, during turn: UInt64) {
    let datagrams = sockets.watched.datagrams
    var requests = datagrams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var next = clock.now.advanced(byNanoseconds: Self.longestDelivery)
    while goesOn && turns.load(ordering: .acquiring) == turn {
      if clock.now >= next {
        next = clock.now.advanced(byNanoseconds: Self.longestDelivery)
        if connectionsWait { isOverdue.store(true, ordering: .relaxed) }
      }
      guard momu_poll(&requests, UInt(requests.count), Self.burstPatience) > 0 else { continue }
      for (socket, request) in zip(datagrams, requests) {
        // Left where it is, a report would wake this at once again and again.
        if request.revents & Int16(POLLERR) != 0 { takeReports(of: socket, inbox) }
        while request.revents & Int16(POLLIN) != 0, read(socket, inbox) > 0, goesOn {}
      }
    }
  }
}
