import MIDICore
import MoCore

/// A client of a sequencer, with one port that sends and receives.
///
/// The sequencer is ALSA's, a network session, or a replacement in a test.
///
/// - Thread: one owner.
package protocol MIDISequencer: MIDIDestination {
  /// The address of the client's own port.
  var address: MIDIAddress { get }

  /// The descriptor that is readable when events have arrived; nil if only `nextTime` decides when to call `receive`.
  var descriptor: Int32? { get }

  /// Returns the ports of other clients, in the order of their addresses.
  func ports() -> [MIDIPort]

  /// Connects another client's port to this client's own port, to receive from it.
  ///
  /// - Throws: `MIDIError.alsa`.
  func connect(from port: MIDIAddress) throws(MIDIError)

  /// Connects this client's own port to another client's port, to send to it.
  ///
  /// - Throws: `MIDIError.alsa`.
  func connect(to port: MIDIAddress) throws(MIDIError)

  /// The time at which `receive` must be called even if nothing has arrived; nil if no call is planned.
  var nextTime: HostTime? { get }

  /// Passes all received events to `emit`, and removes them.
  ///
  /// - Real-time safe: no allocation and no lock.
  func receive(_ emit: (MIDISequencerEvent) -> Void)

  /// Sends the messages that `send` has collected, if the sequencer collects messages.
  func flush(at now: HostTime)
}

extension MIDISequencer {
  package var nextTime: HostTime? { nil }
  package func flush(at now: HostTime) {}
}

/// The address of a port in the sequencer.
package struct MIDIAddress: Hashable, Sendable, BitwiseCopyable {
  /// The number of the client, a program or a card.
  package var client: Int32
  /// The number of the port in its client.
  package var port: Int32

  package init(_ client: Int32, _ port: Int32) { (self.client, self.port) = (client, port) }
}

/// A port of another client of the sequencer.
package struct MIDIPort: Hashable, Sendable {
  package var address: MIDIAddress
  /// The name of the port's client, such as `nanoKEY2`.
  package var client: String
  /// The port's own name, such as `nanoKEY2 MIDI 1`.
  package var name: String
  /// Whether the port belongs to a device of the kernel or of Bluetooth, and not to a program.
  package var isDevice: Bool
  /// Whether this program can receive messages from the port.
  package var sends: Bool
  /// Whether this program can send messages to the port.
  package var receives: Bool

  package init(
    _ address: MIDIAddress, client: String, name: String, isDevice: Bool = true, sends: Bool = true,
    receives: Bool = true
  ) {
    (self.address, self.client, self.name) = (address, client, name)
    (self.isDevice, self.sends, self.receives) = (isDevice, sends, receives)
  }

  /// The name for people and options: the client's name and the port's name.
  ///
  /// If the port's name begins with the client's name, the client's name is left out. If the port has no name, only the
  /// client's name is used.
  package var fullName: String {
    name.isEmpty ? client : name.hasPrefix(client) ? name : "\(client): \(name)"
  }
}

/// A note with a length: an event that programs send through ALSA's sequencer, and that MIDI itself does not have.
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
  /// A note from a port, together with its length; no note-off follows.
  case note(MIDITimedNote, from: MIDIAddress, at: HostTime)
  /// A piece of a SysEx message from a port.
  case sysEx(UnsafeBufferPointer<UInt8>, from: MIDIAddress, at: HostTime)
  /// A port appeared or changed.
  case portsChanged
  /// A port disappeared, or all ports of a client if the address has a negative `port`.
  case portGone(MIDIAddress)
  /// The connection from this port to the client's own port was removed.
  case disconnected(MIDIAddress)
  /// Received events were dropped, because they were not read in time.
  case overrun
}
