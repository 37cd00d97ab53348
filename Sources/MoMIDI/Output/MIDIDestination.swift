import MIDICore
import MoCore

/// A receiver of the sent messages: a port of the sequencer, a network session, a file, or nothing.
///
/// - Thread: one owner, the thread that sends.
package protocol MIDIDestination: AnyObject {
  /// The name of the destination: `none`, `net`, `file:` with the path, or the name of this program's client in the
  /// sequencer.
  var name: String { get }

  /// The maximum speed of SysEx messages, in bytes per second; nil for no limit.
  var bytesPerSecond: Double? { get }

  /// Sends a message to all receivers; returns false if a receiver has lost it, because the receiver's queue was full.
  ///
  /// In both cases the message is not to be sent again, since the other receivers have got it.
  ///
  /// - Parameter time: the time at which the message was due, at or before now.
  func send(_ message: MIDIMessage, at time: HostTime) -> Bool

  /// Sends a piece of a SysEx message to all receivers; returns false if a receiver has lost it.
  func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool

  /// The time at which `service` is due; nil if nothing is due.
  var nextTime: HostTime? { get }

  /// Does the destination's own work that is due, such as writing to the disk.
  func service(until now: HostTime)

  /// Completes the output; no message may follow.
  func close(at time: HostTime)
}

extension MIDIDestination {
  package var nextTime: HostTime? { nil }
  package func service(until now: HostTime) {}
}

/// A destination that drops everything: `--midi-out none`.
final class NoMIDIDestination: MIDIDestination {
  let name = "none"
  let bytesPerSecond: Double? = nil
  init() {}
  func send(_ message: MIDIMessage, at time: HostTime) -> Bool { true }
  func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool { true }
  func close(at time: HostTime) {}
}
