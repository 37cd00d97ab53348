import CALSA

/// The ports that ALSA's sequencer lists.
enum ALSAPortList {
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
      while snd_seq_query_next_port(handle, port) >= 0 {
        let found = Self.port(port, number, title, isKernels)
        if found.sends || found.receives { ports.append(found) }
      }
    }
    return ports
  }

  private static func port(_ info: OpaquePointer, _ client: Int32, _ title: String, _ isKernels: Bool)
    -> MIDIPort
  {
    let capability = Int32(bitPattern: UInt32(snd_seq_port_info_get_capability(info)))
    let type = Int32(bitPattern: UInt32(snd_seq_port_info_get_type(info)))
    let sending = Int32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
    let receiving = Int32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
    let isOpen = capability & Int32(SND_SEQ_PORT_CAP_NO_EXPORT) == 0
    // Bluetooth keyboards are clients of a program, and report that they are hardware.
    let isDevice =
      isKernels ? type & Int32(SND_SEQ_PORT_TYPE_PORT) != 0 : type & Int32(SND_SEQ_PORT_TYPE_HARDWARE) != 0
    let name = text(snd_seq_port_info_get_name(info))
    return MIDIPort(
      MIDIAddress(client, snd_seq_port_info_get_port(info)), client: title, name: name,
      // "Midi Through" returns its input: connected with all keyboards it would make a loop.
      isDevice: isDevice && title != "Midi Through",
      sends: isOpen && capability & sending == sending,
      receives: isOpen && capability & receiving == receiving)
  }

  private static func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }
}
