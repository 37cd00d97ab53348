import CMoSystem
import Glibc
import MIDICore
import MoCore
import MoRuntime

extension MIDIServer {
  /// Sends the shared beat to gear as MIDI clock from now on.
  ///
  /// - Parameter beat: returns the shared beat.
  /// - Throws: `MIDIError.clockTaken` if this or another program already sends clock to the port; otherwise the errors
  ///   of `startOutput`.
  package func lead(_ beat: @escaping @Sendable () -> BeatClock, in run: Run) throws {
    try startOutput(in: run)
    try withLock {
      guard state.clock == nil else { throw MIDIError.clockTaken(port: run.options.midiOut ?? clientName) }
      // Another program may name the same port differently.
      let ports = state.pump.map { pump in pump.perform { pump.connections.targets } } ?? [:]
      let leases = try ports.map { (address, name) throws(MIDIError) in
        guard let lease = ClockLease(port: address, name: name) else { throw .clockTaken(port: name) }
        return lease
      }
      let start = run.isOffline ? HostTime.zero : run.clock.now
      let output = MIDIClockOutput(from: start, trim: run.options.midiTrim * 1e-3, beat) {
        [weak self] message, time in try? self?.send(.message(message), at: time, in: run)
      }
      do {
        try run.input.add(output) { _ in }
      } catch {
        throw MIDIError.noThread(reason: "\(error)")
      }
      state.clock = (output, leases, run)
    }
  }

  /// Follows the MIDI clock of gear from now on, and returns the object that holds the gear's beat.
  ///
  /// - Throws: the errors of `startInput`.
  package func follow(in run: Run) throws -> MIDIClockInput {
    let input = MIDIClockInput()
    _ = onEvent { input.handle($0) }
    try startInput(in: run)
    return input
  }
}

/// Follows the MIDI clock of the first port that sends a clock.
///
/// If the followed port has sent no clock for two seconds, another port that sends a clock replaces it. A start message
/// of another port counts if it comes after the last clock of the followed port.
package final class MIDIClockInput: Sendable {
  /// A port by its name, and by its number, which differs for two devices of the same name.
  private struct Port: Hashable {
    let name: String
    let number: Int

    init(_ event: MIDIEvent) { (name, number) = (event.port, event.portNumber) }
  }

  private struct State {
    var follower = MIDIClockFollower()
    /// The followed port; nil before the first clock.
    var port: Port?
    /// The time of the last clock of the followed port.
    var last = HostTime.distantPast
    /// The followers of other ports that have sent start, continue, stop or song position since the last clock of the
    /// followed port.
    var others: [Port: MIDIClockFollower] = [:]

    /// Updates the follower of the followed port.
    mutating func follow(_ event: MIDIEvent) {
      follower.receive(event.message, at: event.time)
      guard event.message == .clock else { return }
      last = event.time
      others.removeAll(keepingCapacity: true)
    }

    /// Updates the follower of another port.
    mutating func updateOther(_ event: MIDIEvent) {
      let port = Port(event)
      guard event.message != .clock || others[port] != nil else { return }
      // Peers of a network choose their names, so the number of names is limited.
      if others.count >= MIDIClockInput.mostOthers, others[port] == nil { others = [:] }
      // The starts count on: a new start must not look like an old one.
      let starts = follower.starts
      others[port, default: MIDIClockFollower(starts: starts)].receive(event.message, at: event.time)
    }
  }

  private let state = Locked(State())
  /// The seconds without a clock from the followed port after which another port may replace it.
  private static let timeout = 2.0
  /// The maximum number of entries in `State.others`; a further port replaces all.
  private static let mostOthers = 16

  package init() {}

  /// Updates the beat by a clock, start, continue, stop or song position message; ignores all other messages.
  package func handle(_ event: MIDIEvent) {
    switch event.message {
    case .clock, .start, .continue, .stop, .songPosition: break
    default: return
    }
    state.withLock { state in
      let port = Port(event)
      if state.port != port {
        // A keyboard with transport buttons sends start and stop, but no clock.
        guard event.message == .clock,
          state.port == nil || event.time.seconds(since: state.last) > Self.timeout
        else { return state.updateOther(event) }
        state.port = port
        state.follower = state.others[port] ?? MIDIClockFollower(starts: state.follower.starts)
      }
      state.follow(event)
    }
  }

  /// The beat and tempo of the followed port, as a copy.
  package var gear: MIDIClockFollower { state.withLock { $0.follower } }

  /// The name of the followed port; nil before the first clock.
  package var port: String? { state.withLock { $0.port?.name } }
}

/// Sends a shared beat as MIDI clock.
///
/// Each clock message is queued a little before it is due. It is sent at the time of its position in the beat, plus the
/// time that `--midi-trim` gives.
///
/// - Thread: one owner, the thread that calls `service`: `mo-input`, or offline the thread that renders. `close` from
///   any, after the last call of `service`.
package final class MIDIClockOutput: EventTimer, @unchecked Sendable {
  // Unchecked: `leader` belongs to the servicing thread, and after its removal to the caller of `close`.
  package let name = "MIDI clock"
  package private(set) var nextTime: HostTime?
  private let beat: @Sendable () -> BeatClock
  private let trim: Double
  private let send: @Sendable (MIDIMessage, HostTime) -> Void
  private var leader: MIDIClockLeader
  private var isRunning = false

  /// Seconds between two polls of the beat.
  private static let pause = 0.01
  /// The seconds by which messages are queued before their time; a change of the beat does not affect queued messages.
  private static let ahead = 0.03

  /// - Parameters:
  ///   - start: the time before which nothing is sent.
  ///   - trim: the seconds by which each message is sent later; negative for earlier.
  ///   - beat: returns the shared beat.
  ///   - send: queues a message until its time.
  package init(
    from start: HostTime, trim: Double, _ beat: @escaping @Sendable () -> BeatClock,
    _ send: @escaping @Sendable (MIDIMessage, HostTime) -> Void
  ) {
    (self.beat, self.trim, self.send) = (beat, trim, send)
    leader = MIDIClockLeader(from: start)
    nextTime = start
  }

  package func service(until now: HostTime) {
    let beat = beat()
    // Sending earlier needs a longer look ahead.
    let until = now.advanced(bySeconds: Self.ahead + max(0, -trim))
    while let event = leader.next(by: beat, until: until) {
      switch event.message {
      case .start, .continue: isRunning = true
      case .stop: isRunning = false
      default: break
      }
      send(event.message, event.time.advanced(bySeconds: trim))
    }
    nextTime = now.advanced(bySeconds: Self.pause)
  }

  /// Sends a stop message to the gear if a start or continue message was sent after the last stop message.
  package func close(at now: HostTime) {
    nextTime = nil
    if isRunning { send(.stop, now) }
    isRunning = false
  }
}

/// The right to send MIDI clock to a port; only one of a user's programs has it at a time.
///
/// Two programs that send clock to the same port would double the tempo. The kernel releases the right when the program
/// ends, even after a crash.
final class ClockLease: Sendable {
  private let socket: Int32

  /// Takes the right to send clock to a port of the sequencer.
  ///
  /// The result is nil if another program of this user, or another object of this program, has the right. The right
  /// belongs to the address together with the name, since the kernel gives the address of an unplugged device to the
  /// next device. So the right ends if the device itself returns with another address.
  init?(port: MIDIAddress, name: String) {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Without sockets there is no other program to ask.
    guard socket >= 0 else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract name: it begins with a zero byte, and leaves no file behind.
    let key = "momu-midi-clock-\(getuid())-\(port.client):\(port.port)-\(name)".utf8.prefix(100)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in key.enumerated() { path[index + 1] = byte }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + key.count)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    }
    guard result != 0, errno == EADDRINUSE else { return }
    close(socket)
    return nil
  }

  deinit { if socket >= 0 { close(socket) } }
}
