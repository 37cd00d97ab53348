import CMoSystem
import Glibc
import MoCore
import MoRuntime
import Synchronization

/// The threads behind a server: `mo-net` reads the sockets and calls the callbacks; where a callback is slow,
/// `mo-relief` reads in its stead, so that the kernel's room does not fill and the newest value is never missed.
///
/// `NetBackupReader` says when.
final class NetLoop: Sendable {
  private let server: NetServer
  private let sockets: NetSockets
  private let inbound: NetReceiver
  private let clock: any TimeSource
  private let wake = WakeEvent()
  private let isEnding = Atomic<Bool>(false)
  /// Held while datagrams are read and sorted, so that they stay in order.
  private let reading = MoMutex(inheritsPriority: false)
  private let relief: NetBackupReader
  /// When connections are taken again, after the system had no room for one.
  private let nextAccept = Atomic<Int64>(.min)
  private let watch = momu_watch()
  private let threads = Locked<[MoThread]>([])

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
    relief = try NetBackupReader(clock: clock)
    guard wake.descriptor >= 0, watch >= 0 else { throw .tooManyFiles }
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

  deinit { if watch >= 0 { close(watch) } }

  /// Wakes the loop, to see what has changed.
  func look() { wake.raise() }

  /// Ends both threads; returns when no callback runs, or at once from within one.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wake.raise()
    relief.wake()
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
    // None of its turns puts the end of the other thread off any more.
    defer { relief.wake() }
    guard let inbox = NetInbox() else {
      return MoLog.log(.warning, "no memory to receive into: nothing will arrive")
    }
    let changes = momu_interface_watch()
    defer { if changes >= 0 { close(changes) } }
    var watch = NetPoller(watch, wake: wake.descriptor, interfaces: changes)
    var interfaces = NetInterface.all()
    // Since when it has had nothing to do; nil where it has let some arrive.
    var rest: HostTime? = .distantPast
    var gathering = NetCoalescing()
    while goesOn {
      let watched = sockets.watched
      watch.follow(watched.datagrams)
      let mayAccept = clock.now.nanoseconds >= nextAccept.load(ordering: .relaxed)
      var requests = [pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)]
      requests += self.requests(for: watched, mayAccept: mayAccept)
      while goesOn {
        let pause = pause
        let ready: Int
        if requests.count == 1, pause < 0, mayAccept {
          ready = watch.take(waits: true)
        } else {
          _ = momu_poll(&requests, UInt(requests.count), pause < 0 && !mayAccept ? Self.longestSleep : pause)
          ready = requests[0].revents != 0 ? watch.take(waits: false) : 0
        }
        var hasChanged = false
        var most = 0
        for index in 0..<ready {
          switch watch[index] {
          case .wake:
            wake.lower()
            hasChanged = true
          case .interfaces: look(at: changes, &interfaces)
          case .datagrams(let socket, let hasInput, let hasReport):
            if hasReport { takeReports(of: socket, inbox) }
            if hasInput { most = max(most, read(socket, inbox, restedSince: rest)) }
          case nil: break
          }
        }
        if requests.count > 1, attend(to: watched, requests) { hasChanged = true }
        if let end = deliver(behind: most) {
          let pause = gathering.pause(after: most, at: end.nanoseconds)
          if pause > 0 { gather(pause) }
          rest = pause > 0 ? nil : end
        }
        if hasChanged || !mayAccept { break }
      }
    }
  }

  /// Lets more arrive for so many nanoseconds, or until something is due.
  private func gather(_ nanoseconds: Int64) {
    let pause = pause
    _ = momu_poll(nil, 0, pause < 0 ? nanoseconds : min(pause, nanoseconds))
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
    return min(max(0, next.nanoseconds(since: clock.now)), Self.longestSleep)
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

  /// Sees to the listeners and connections; whether what is to be waited for may have changed.
  private func attend(to watched: NetSockets.Watched, _ requests: [pollfd]) -> Bool {
    var hasChanged = false
    var place = 1
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
    let first = watched.streams.isEmpty ? 0 : relief.count % watched.streams.count
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
    return hasChanged || !watched.streams.isEmpty
  }

  /// Delivers what is due, after so many datagrams at most were read from a socket; when it was done, nil where nothing
  /// was due.
  private func deliver(behind count: Int) -> HostTime? {
    if count == 0 {
      guard let next = inbound.nextTime, next == .distantPast || next <= clock.now else { return nil }
    }
    relief.turnBegins(afterBurst: count >= NetBackupReader.burst)
    inbound.deliver(for: server, while: { goesOn && !relief.isOverdue })
    return relief.turnEnds()
  }

  private func read(_ socket: NetSocket, _ inbox: NetInbox, restedSince rest: HostTime? = nil) -> Int {
    reading.withLock {
      inbox.read(
        socket, into: inbound, clock: clock, interface: server.interface.load(ordering: .relaxed),
        restedSince: rest)
    }
  }

  private func takeReports(of socket: NetSocket, _ inbox: NetInbox) {
    inbox.reports(of: socket) { address, error in server.undelivered(address, error) }
  }

  // MARK: mo-relief

  private func relieve() {
    momu_thread_set_timely(1)
    var inbox: NetInbox?
    relief.watch(
      while: { goesOn },
      read: { turn in
        if inbox == nil { inbox = NetInbox() }
        if let inbox { read(inbox, during: turn) }
      })
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
    // What is read while the turn ends may come when `mo-net` has found nothing to do and waits for the sockets, which
    // are empty now.
    defer { wake.raise() }
    while goesOn && relief.lasts(turn) {
      if clock.now >= next {
        next = clock.now.advanced(byNanoseconds: Self.longestDelivery)
        if connectionsWait { relief.interrupt() }
      }
      guard momu_poll(&requests, UInt(requests.count), NetBackupReader.look) > 0 else { continue }
      for (socket, request) in zip(datagrams, requests) {
        // Left where it is, a report would wake this at once again and again.
        if request.revents & Int16(POLLERR) != 0 { takeReports(of: socket, inbox) }
        // Once, not until nothing is left: a flood has no end, and it is to be looked after the connections, too.
        if request.revents & Int16(POLLIN) != 0 { _ = read(socket, inbox) }
      }
    }
  }
}
