import MoCore
import MoRuntime

/// An input whose MIDI messages come from a tape, a MIDI file or a simulated player.
///
/// - Thread: any, but its score belongs to the thread that services the score: `mo-input` or, offline, the renderer's
///   thread.
final class MIDIInput: @unchecked Sendable {
  // Unchecked: the score is handed to the event loop (`run.input`), whose thread `mo-input` reads it.
  let name: String
  private let score: any EventSource
  private let receiver: MIDIReceiver
  private let run: Run

  /// The seconds from the start of the input to its first message.
  ///
  /// The first callback starts the input. In this time, the program can register its other callbacks.
  private static let wait = 0.1

  /// Returns the time of the first message.
  private static func start(_ run: Run) -> HostTime {
    run.isOffline ? .zero : run.clock.now.advanced(bySeconds: wait)
  }

  init(
    name: String, _ steps: [MIDIScore.Step], nanoseconds: Int64, loops: Bool, _ receiver: MIDIReceiver,
    _ run: Run
  ) {
    (self.name, self.receiver, self.run) = (name, receiver, run)
    score = MIDIScore(
      name: name, steps, nanoseconds: nanoseconds, loops: loops,
      from: Self.start(run), deliver: Self.delivery(to: receiver), ended: { receiver.releaseAll(at: $0) })
  }

  /// Creates an input that plays a MIDI file in time with a shared beat.
  ///
  /// - Parameters:
  ///   - beat: returns the shared beat.
  ///   - lead: returns the time from the delivery of a message to the moment at which it must be heard, in seconds.
  init(
    name: String, _ steps: [MIDIBeatScore.Step], length: Double, beat: @escaping @Sendable () -> BeatClock,
    lead: @escaping @Sendable () -> Double, _ receiver: MIDIReceiver, _ run: Run
  ) {
    (self.name, self.receiver, self.run) = (name, receiver, run)
    receiver.isScheduled = true
    score = MIDIBeatScore(
      name: name, steps, length: length, from: Self.start(run), beat: beat, lead: lead,
      deliver: Self.delivery(to: receiver), ended: { receiver.releaseAll(at: $0) })
  }

  /// Returns a closure that passes each message to a receiver, with the number that the receiver gives to the message's
  /// port.
  ///
  /// The first message from a port opens the port in the receiver.
  private static func delivery(to receiver: MIDIReceiver) -> (MIDITapeMessage, HostTime) -> Void {
    var ports: [String: Int] = [:]
    func number(_ port: String) -> Int {
      if let number = ports[port] { return number }
      let number = receiver.open(port)
      ports[port] = number
      return number
    }
    return { message, time in
      switch message {
      case .message(let message, let port): receiver.handle(message, from: number(port), at: time)
      case .sysEx(let bytes, let port):
        bytes.withUnsafeBufferPointer { receiver.takeSysEx($0, from: number(port), at: time) }
      }
    }
  }

  /// Starts to play the input's messages: the event loop of the program (`run.input`) services their score from now on.
  ///
  /// - Throws: `MIDIError.noThread`.
  func begin() throws(MIDIError) {
    nonisolated(unsafe) let handed = score
    do {
      try run.input.add(handed) { _ in }
    } catch {
      throw .noThread(reason: "\(error)")
    }
  }

  /// Ends the input, and releases its held notes.
  func close() {
    nonisolated(unsafe) let handed = score
    run.input.remove(handed)
    receiver.releaseAll(at: run.clock.now, closes: true)
  }
}

/// The output to a MIDI file or to no destination, as an event source: its `service` sends the messages that are due.
///
/// For an output to the sequencer, `MIDIPump` sends the messages.
final class MIDIOutputInput: EventTimer, @unchecked Sendable {
  // Unchecked: any thread may add to the sender.
  let name = "MIDI out"
  let sender: MIDISender
  private let run: Run

  init(_ sender: MIDISender, _ run: Run) { (self.sender, self.run) = (sender, run) }

  var nextTime: HostTime? { sender.nextTime }

  func service(until now: HostTime) { sender.service(until: now) }

  /// Whether messages waited to be sent when the sender last ran, or were added after that.
  var isBusy: Bool { sender.isBusy.load(ordering: .acquiring) }

  /// Starts to send: the event loop of the program (`run.input`) services this source from now on.
  ///
  /// - Throws: `MIDIError.noThread`.
  func begin() throws(MIDIError) {
    do {
      try run.input.add(self) { _ in }
    } catch {
      throw .noThread(reason: "\(error)")
    }
  }

  /// Ends the output, after it has released the notes that still sound.
  func close() {
    run.input.remove(self)
    sender.close(at: run.clock.now)
  }
}
