import MoCore
import MoRuntime

/// An input that plays a tape, a file or a simulated player.
///
/// - Thread: any, but its score belongs to the thread that drives the run's inputs.
final class MIDIInput: @unchecked Sendable {
  // Unchecked: the score is handed to the run's inputs.
  let name: String
  private let score: any EventSource
  private let receiver: MIDIReceiver
  private let run: Run

  init(
    name: String, _ steps: [MIDIScore.Step], nanoseconds: Int64, loops: Bool, _ receiver: MIDIReceiver,
    _ run: Run
  ) {
    (self.name, self.receiver, self.run) = (name, receiver, run)
    score = MIDIScore(
      name: name, steps, nanoseconds: nanoseconds, loops: loops, from: run.isOffline ? .zero : run.clock.now,
      deliver: Self.delivery(to: receiver), ended: { receiver.releaseAll(at: $0) })
  }

  /// Creates an input that plays a file by a shared beat.
  ///
  /// - Parameters:
  ///   - beat: returns the shared beat.
  ///   - lead: returns the seconds by which a message is delivered before it must be heard.
  init(
    name: String, _ steps: [MIDIBeatScore.Step], length: Double, beat: @escaping @Sendable () -> BeatClock,
    lead: @escaping @Sendable () -> Double, _ receiver: MIDIReceiver, _ run: Run
  ) {
    (self.name, self.receiver, self.run) = (name, receiver, run)
    receiver.isScheduled = true
    score = MIDIBeatScore(
      name: name, steps, length: length, from: run.isOffline ? .zero : run.clock.now, beat: beat, lead: lead,
      deliver: Self.delivery(to: receiver), ended: { receiver.releaseAll(at: $0) })
  }

  /// Returns a closure that hands each message to a receiver, under the number of its port.
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
      case .message(let message, let port): receiver.take(message, from: number(port), at: time)
      case .sysEx(let bytes, let port):
        bytes.withUnsafeBufferPointer { receiver.takeSysEx($0, from: number(port), at: time) }
      }
    }
  }

  /// Adds the input to the run's inputs, which play its score.
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

/// An event source that drives a sender whose destination is a file or nothing; `MIDIPump` drives a sequencer's sender.
final class MIDIOutputInput: EventSource, @unchecked Sendable {
  // Unchecked: any thread may add to the sender.
  let name = "MIDI out"
  let descriptor: Int32? = nil
  let sender: MIDISender
  private let run: Run

  init(_ sender: MIDISender, _ run: Run) { (self.sender, self.run) = (sender, run) }

  var nextTime: HostTime? { sender.nextTime }

  func service(until now: HostTime) { sender.service(until: now) }

  /// Whether messages wait to be sent, as the run's inputs last saw it.
  var isBusy: Bool { sender.isBusy.load(ordering: .acquiring) }

  /// Adds this source to the run's inputs, which drive the sender.
  ///
  /// - Throws: `MIDIError.noThread`.
  func begin() throws(MIDIError) {
    do {
      try run.input.add(self) { _ in }
    } catch {
      throw .noThread(reason: "\(error)")
    }
  }

  /// Ends the output, and releases sounding notes.
  func close() {
    run.input.remove(self)
    sender.close(at: run.clock.now)
  }
}
