import MoMIDI
import Testing

@Suite("The list of ALSA's ports")
struct ALSAPortListTests {
  /// `READ`, `WRITE`, `SUBS_READ` and `SUBS_WRITE` of `alsa/seq.h`.
  private let open: UInt32 = 1 | 2 | 1 << 5 | 1 << 6
  /// `UMP_ENDPOINT` of the kernel's `sound/asequencer.h`.
  private let endpoint: UInt32 = 1 << 9
  /// `HARDWARE` and `PORT`.
  private let hardware: UInt32 = 1 << 16 | 1 << 19

  @Test("contains the group ports of a MIDI 2.0 keyboard, but not its port for all messages")
  func endpointAndGroups() {
    let entries = [
      ALSAPortList.Entry(
        MIDIAddress(24, 0), name: "MIDI 2.0", capability: open | endpoint, type: hardware),
      ALSAPortList.Entry(
        MIDIAddress(24, 1), name: "Group 1 (Main)", capability: open, type: hardware | 1 << 1),
    ]
    #expect(
      ALSAPortList.ports(of: "Keystage", isKernels: true, entries) == [
        MIDIPort(MIDIAddress(24, 1), client: "Keystage", name: "Group 1 (Main)")
      ])
    #expect(
      ALSAPortList.ports(of: "Keystage", isKernels: true, [entries[0]]).map(\.address)
        == [MIDIAddress(24, 0)])
  }

  @Test("contains no port that accepts no connections, and \"Midi Through\" is not a device")
  func closedAndThrough() {
    let address = MIDIAddress(14, 0)
    let closed = ALSAPortList.Entry(address, name: "Timer", capability: 1, type: hardware)
    #expect(ALSAPortList.ports(of: "System", isKernels: true, [closed]).isEmpty)
    let through = ALSAPortList.Entry(address, name: "Port-0", capability: open, type: hardware)
    #expect(
      ALSAPortList.ports(of: "Midi Through", isKernels: true, [through]) == [
        MIDIPort(address, client: "Midi Through", name: "Port-0", isDevice: false)
      ])
  }
}
