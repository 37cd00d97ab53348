import CALSA

/// The ports that ALSA's sequencer lists.
package enum ALSAPortList {
  /// Returns the ports that accept connections, except the ports of the system client and of the client `own`.
  static func read(_ handle: OpaquePointer, except own: Int32) -> [MIDIPort] {
    var clientInfo: OpaquePointer?
    var portInfo: OpaquePointer?
    guard snd_seq_client_info_malloc(&clientInfo) == 0, let client = clientInfo else { return [] }
    defer { snd_seq_client_info_free(client) }
    guard snd_seq_port_info_malloc(&portInfo) == 0, let port = portInfo else { return [] }
    defer { snd_seq_port_info_free(port) }
    var ports: [MIDIPort] = []
    snd_seq_client_info_set_client(client, -1)
    while snd_seq_query_next_client(handle, client) >= 0 {
      let number = snd_seq_client_info_get_client(client)
      guard number != 0, number != own else { continue }
      let title = text(snd_seq_client_info_get_name(client))
      let isKernels = snd_seq_client_info_get_type(client) == SND_SEQ_KERNEL_CLIENT
      snd_seq_port_info_set_client(port, number)
      snd_seq_port_info_set_port(port, -1)
      var entries: [Entry] = []
      while snd_seq_query_next_port(handle, port) >= 0 {
        entries.append(
          Entry(
            MIDIAddress(number, snd_seq_port_info_get_port(port)),
            name: text(snd_seq_port_info_get_name(port)),
            capability: snd_seq_port_info_get_capability(port), type: snd_seq_port_info_get_type(port)))
      }
      ports += Self.ports(of: title, isKernels: isKernels, entries)
    }
    return ports
  }

  /// A port as the kernel lists it.
  package struct Entry {
    var address: MIDIAddress
    var name: String
    var capability: UInt32
    var type: UInt32

    package init(_ address: MIDIAddress, name: String, capability: UInt32, type: UInt32) {
      (self.address, self.name, self.capability, self.type) = (address, name, capability, type)
    }
  }

  /// Returns the ports of a client that accept connections.
  ///
  /// A MIDI 2.0 client has a port for all its messages, and a port for each group of channels. The first port is left
  /// out, since each message would pass twice if both ports were connected.
  ///
  /// - Source: `Documentation/sound/designs/midi-2.0.rst` of the Linux kernel.
  /// - Parameter isKernels: whether the client is a driver of the kernel, and not a program.
  package static func ports(of client: String, isKernels: Bool, _ entries: [Entry]) -> [MIDIPort] {
    let groups = entries.filter { $0.capability & endpointCapability == 0 }
    return (groups.isEmpty ? entries : groups)
      .map { port($0, client, isKernels) }.filter { $0.sends || $0.receives }
  }

  /// `SND_SEQ_PORT_CAP_UMP_ENDPOINT`, which alsa-lib has from version 1.2.10 on.
  private static let endpointCapability: UInt32 = 1 << 9

  private static func port(_ entry: Entry, _ client: String, _ isKernels: Bool) -> MIDIPort {
    let (capability, type) = (Int32(bitPattern: entry.capability), Int32(bitPattern: entry.type))
    let sending = Int32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
    let receiving = Int32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
    let isOpen = capability & Int32(SND_SEQ_PORT_CAP_NO_EXPORT) == 0
    // Bluetooth keyboards are clients of a program, and report that they are hardware.
    let isDevice =
      isKernels ? type & Int32(SND_SEQ_PORT_TYPE_PORT) != 0 : type & Int32(SND_SEQ_PORT_TYPE_HARDWARE) != 0
    return MIDIPort(
      entry.address, client: client, name: entry.name,
      // "Midi Through" returns its input: connected with all keyboards it would make a loop.
      isDevice: isDevice && client != "Midi Through",
      sends: isOpen && capability & sending == sending,
      receives: isOpen && capability & receiving == receiving)
  }

  private static func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }
}
