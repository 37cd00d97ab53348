import MIDICore
import MoCore
import MoMIDI
import MoMu

/// Sends the notes that an instrument plays by itself to MIDI out; each note is sent when the loudspeaker plays it.
///
/// - Thread: one owner, the thread that calls `service`: `mo-input`, or offline the thread that renders.
final class MadeNotesOutput: EventTimer {
  let name = "notes of an instrument"
  private(set) var nextTime: HostTime?
  private let notes: MadeNotes
  private let channel: Int
  private let send: (MIDISender.Order, HostTime) -> Void

  /// The interval of the polls for new notes, in seconds; it is shorter than the latency of any sound device, so that
  /// no note is found too late.
  private static let pause = 0.002
  /// The channel of drums in General MIDI, counted from 0.
  private static let drums = 9

  /// - Parameter channel: the MIDI channel of the first player, 0…15. Each further player, such as the guitar of the
  ///   band, has the next channel. Further players skip the drums' channel, 9, if the first player's channel is below
  ///   9.
  init(
    _ notes: MadeNotes, channel: Int, from start: HostTime,
    _ send: @escaping (MIDISender.Order, HostTime) -> Void
  ) {
    (self.notes, self.channel, self.send) = (notes, channel, send)
    nextTime = start
    notes.open()
  }

  func service(until now: HostTime) {
    nextTime = now.advanced(bySeconds: Self.pause)
    while let note = notes.pop() {
      let channel = MIDIChannel(lowBitsOf: UInt8(Self.channel(of: note.part, from: channel)))
      let key = MIDIUInt7(lowBitsOf: note.key)
      let velocity = MIDIUInt7(clamping: max(1, Int((min(note.velocity, 1) * 127).rounded())))
      let end = note.time.advanced(bySeconds: Double(max(note.length, 0.01)))
      send(.note(channel, key, velocity, nanoseconds: end.nanoseconds(since: note.time)), note.time)
    }
  }

  static func channel(of part: UInt8?, from first: Int) -> Int {
    guard let part else { return drums }
    let channel = first + Int(part)
    return (channel >= drums && first < drums ? channel + 1 : channel) % 16
  }
}

extension MoMIDI {
  /// Sends the notes that the instrument `arpeggio`, `band` or `drum-machine` plays by itself to the output of
  /// `--midi-out`.
  ///
  /// Drums have channel 10. The arpeggio and the band's bass have the channel of `--midi-channel`, or 1 without this
  /// option. The band's guitar and keyboard have the next two channels, but never channel 10. Without `--midi-out`, and
  /// for other instruments, the function does nothing.
  ///
  /// - Returns: a token whose `cancel()` ends the sending.
  /// - Throws: `MIDIError`.
  /// - Thread: any but the audio callback.
  @discardableResult
  public static func sendNotes(of instrument: InstrumentHandle) throws -> MoToken {
    let run = Run.current
    guard run.options.midiOut != nil, let notes = instrument.slot.madeNotes else { return MoToken {} }
    let server = MIDIServer.shared
    if server.isDefaultName { server.clientName = "MoMu \(instrument.name)" }
    try server.startOutput(in: run)
    let start = run.isOffline ? HostTime.zero : run.clock.now
    let output = MadeNotesOutput(notes, channel: (run.options.midiChannel ?? 1) - 1, from: start) {
      order, time in
      try? server.send(order, at: server.leaving(at: nil, heardAt: time, in: run), in: run)
    }
    nonisolated(unsafe) let source = output
    try run.input.add(source) { _ in }
    return MoToken { run.input.remove(source) }
  }
}
