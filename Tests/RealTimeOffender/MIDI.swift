import MIDICore
import MoCore
import MoMIDI

/// A sequencer that always has one message of each kind, and a SysEx message.
private final class EndlessSequencer: MIDISequencer {
  let name = "endless"
  let address = MIDIAddress(128, 0)
  let descriptor: Int32? = nil
  let bytesPerSecond: Double? = 3125
  private let dump: [UInt8] = [0xF0] + [UInt8](repeating: 1, count: 254) + [0xF7]
  private var turn: UInt8 = 0

  func ports() -> [MIDIPort] {
    [MIDIPort(MIDIAddress(24, 0), client: "keyboard", name: "a keyboard's long name")]
  }
  func connect(from port: MIDIAddress) {}
  func connect(to port: MIDIAddress) {}
  func send(_ message: MIDIMessage, at time: HostTime) -> Bool { true }
  func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool { true }
  func close(at time: HostTime) {}

  func receive(_ take: (MIDISequencerEvent) -> Void) {
    turn &+= 1
    let (from, key) = (MIDIAddress(24, 0), MIDIUInt7(lowBitsOf: turn))
    take(.message(.noteOn(0, key, velocity: 100), from: from, at: .zero))
    take(.message(.control(0, 74, key), from: from, at: .zero))
    take(.message(.bend(0, 9000), from: from, at: .zero))
    take(.message(.pressure(0, key), from: from, at: .zero))
    take(.message(.noteOff(0, key, velocity: 0), from: from, at: .zero))
    dump.withUnsafeBufferPointer { take(.sysEx($0, from: from, at: .zero)) }
  }
}

/// MIDI's way from the sequencer to the callbacks, with a note sent in each turn.
final class HeldMIDI: @unchecked Sendable {
  // Unchecked: one thread at a time.
  private let pump: MIDIPump
  private let sender: MIDISender
  private let events = MIDICallbacks<MIDIEvent>()
  private let sysEx = MIDICallbacks<MIDISysEx>()

  init() {
    let sequencer = EndlessSequencer()
    pump = MIDIPump(sequencer, MIDIReceiver(events, sysEx), clock: ManualClock()) { _ in }
    sender = MIDISender(sequencer)
    _ = events.add { event in keep(MIDINote(copy event)?.velocity ?? 0) }
    _ = sysEx.add { message in keep(message.bytes.count) }
  }

  func turn() {
    pump.service(until: .zero)
    keep(pump.nextTime != nil)
    keep(sender.add(.begin(0, 60, 100), at: .zero))
    keep(sender.add(.end(0, 60), at: .zero))
    keep(sender.nextTime != nil)
    sender.service(until: .zero)
  }
}

let heldMIDI = HeldMIDI()
