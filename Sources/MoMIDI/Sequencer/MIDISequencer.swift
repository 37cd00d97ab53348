import MIDICore
import MoCore

/// The address of a port in the sequencer.
package struct MIDIAddress: Hashable, Sendable, BitwiseCopyable {
  /// The number of the client, a program or a card.
  package var client: Int32
  /// The number of the port in its client.
  package var port: Int32

  package init(_ client: Int32, _ port: Int32) { (self.client, self.port) = (client, port) }
}

/// A port of the sequencer that is not ours.
package struct MIDIPort: Hashable, Sendable {
  package var address: MIDIAddress
  /// The name of the port's client, such as `nanoKEY2`.
  package var client: String
  /// The port's own name, such as `nanoKEY2 MIDI 1`.
  package var name: String
  /// Whether the port belongs to a device of the kernel or of Bluetooth, and not to a program.
  package var isDevice: Bool
  /// Whether the port sends to others.
  package var sends: Bool
  /// Whether the port receives from others.
  package var receives: Bool

  package init(
    _ address: MIDIAddress, client: String, name: String, isDevice: Bool = true, sends: Bool = true,
    receives: Bool = true
  ) {
    (self.address, self.client, self.name) = (address, client, name)
    (self.isDevice, self.sends, self.receives) = (isDevice, sends, receives)
  }

  /// The name for people and options: the port's name, preceded by the client's name unless the port's name begins with
  /// it.
  package var fullName: String {
    name.isEmpty ? client : name.hasPrefix(client) ? name : "\(client): \(name)"
  }
}

/// A note with a length, which only the sequencer's own programs can send.
package struct MIDITimedNote: Hashable, Sendable, BitwiseCopyable {
  package var channel: MIDIChannel
  package var key: MIDIUInt7
  /// The velocity of the press, above 0.
  package var velocity: MIDIUInt7
  /// The velocity of the note's release.
  package var offVelocity: MIDIUInt7
  /// The time from the note's beginning to its release.
  package var milliseconds: UInt32

  package init(
    _ channel: MIDIChannel, _ key: MIDIUInt7, velocity: MIDIUInt7, offVelocity: MIDIUInt7,
    milliseconds: UInt32
  ) {
    (self.channel, self.key, self.velocity) = (channel, key, velocity)
    (self.offVelocity, self.milliseconds) = (offVelocity, milliseconds)
  }
}

/// An event of the sequencer.
package enum MIDISequencerEvent {
  /// A message from a port.
  case message(MIDIMessage, from: MIDIAddress, at: HostTime)
  /// A note with its length from a port; no release follows.
  case note(MIDITimedNote, from: MIDIAddress, at: HostTime)
  /// A piece of a SysEx message from a port.
  case sysEx(UnsafeBufferPointer<UInt8>, from: MIDIAddress, at: HostTime)
  /// A port appeared or changed.
  case portsChanged
  /// A port disappeared, or all of a client's if `port` is negative.
  case portGone(MIDIAddress)
  /// A port no longer sends to ours.
  case disconnected(MIDIAddress)
  /// Input was dropped.
  case overrun
}

/// A client of a sequencer with one port of its own that sends and receives: ALSA's, or a test's.
///
/// - Thread: one owner.
package protocol MIDISequencer: MIDIDestination {
  /// The address of the client's own port.
  var address: MIDIAddress { get }

  /// The descriptor that is readable when events have arrived; nil if only `nextTime` decides when to call `receive`.
  var descriptor: Int32? { get }

  /// The ports of others, in the order of their addresses.
  func ports() -> [MIDIPort]

  /// Connects a port to ours.
  ///
  /// - Throws: `MIDIError.alsa`.
  func connect(from port: MIDIAddress) throws(MIDIError)

  /// Connects our port to another.
  ///
  /// - Throws: `MIDIError.alsa`.
  func connect(to port: MIDIAddress) throws(MIDIError)

  /// The time at which `receive` is needed although nothing has arrived; nil for none.
  var nextTime: HostTime? { get }

  /// Passes all received events to `take`, and removes them.
  ///
  /// - Real-time safe: no allocation and no lock.
  func receive(_ take: (MIDISequencerEvent) -> Void)

  /// Sends what was collected by `send`, if the sequencer collects messages.
  func flush(at now: HostTime)
}

extension MIDISequencer {
  package var nextTime: HostTime? { nil }
  package func flush(at now: HostTime) {}
}
