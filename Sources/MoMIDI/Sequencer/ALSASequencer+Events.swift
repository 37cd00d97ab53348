import CALSA
import MIDICore
import MoCore

extension ALSASequencer {
  /// Converts an event of the kernel and passes the result to `emit`; drops events of other kinds or with values out of
  /// range.
  ///
  /// The kernel does not check values, so any program can send note 200, velocity -5 or channel 77.
  func convert(_ event: snd_seq_event_t, _ time: HostTime, _ emit: (MIDISequencerEvent) -> Void) {
    let source = MIDIAddress(Int32(event.source.client), Int32(event.source.port))
    func send(_ message: MIDIMessage) { emit(.message(message, from: source, at: time)) }
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_NOTEON, SND_SEQ_EVENT_NOTEOFF, SND_SEQ_EVENT_KEYPRESS:
      let note = event.data.note
      guard let channel = MIDIChannel(exactly: Int(note.channel)),
        let key = MIDIUInt7(exactly: Int(note.note)),
        let value = MIDIUInt7(exactly: Int(note.velocity))
      else { return }
      switch snd_seq_event_type(UInt32(event.type)) {
      case SND_SEQ_EVENT_NOTEON: send(.noteOn(channel, key, velocity: value))
      case SND_SEQ_EVENT_NOTEOFF: send(.noteOff(channel, key, velocity: value))
      default: send(.keyPressure(channel, key, value))
      }
    case SND_SEQ_EVENT_NOTE:
      let note = event.data.note
      guard let channel = MIDIChannel(exactly: Int(note.channel)),
        let key = MIDIUInt7(exactly: Int(note.note)),
        let velocity = MIDIUInt7(exactly: Int(note.velocity)), velocity > 0
      else { return }
      // The kernel counts a length in milliseconds where the event's stamp is a time, as our port asks.
      let timed = MIDITimedNote(
        channel, key, velocity: velocity, offVelocity: MIDIUInt7(exactly: Int(note.off_velocity)) ?? 64,
        milliseconds: note.duration)
      emit(.note(timed, from: source, at: time))
    case SND_SEQ_EVENT_SYSEX:
      // The packed field is copied before its address is used.
      let piece = event.data.ext
      guard piece.len > 0, let bytes = piece.ptr?.assumingMemoryBound(to: UInt8.self) else { return }
      emit(.sysEx(UnsafeBufferPointer(start: bytes, count: Int(piece.len)), from: source, at: time))
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED:
      let ends = event.data.connect
      if Int32(ends.dest.client) == address.client {
        emit(.disconnected(MIDIAddress(Int32(ends.sender.client), Int32(ends.sender.port))))
      }
    case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_CHANGE, SND_SEQ_EVENT_CLIENT_CHANGE:
      if source.client == 0 { emit(.portsChanged) }
    case SND_SEQ_EVENT_PORT_EXIT, SND_SEQ_EVENT_CLIENT_EXIT:
      guard source.client == 0 else { return }
      let gone = event.data.addr
      let isClient = snd_seq_event_type(UInt32(event.type)) == SND_SEQ_EVENT_CLIENT_EXIT
      emit(.portGone(MIDIAddress(Int32(gone.client), isClient ? -1 : Int32(gone.port))))
    case let type: takeControl(type, event.data.control, send)
    }
  }

  private func takeControl(
    _ type: snd_seq_event_type, _ control: snd_seq_ev_ctrl_t, _ send: (MIDIMessage) -> Void
  ) {
    switch type {
    case SND_SEQ_EVENT_CLOCK: return send(.clock)
    case SND_SEQ_EVENT_START: return send(.start)
    case SND_SEQ_EVENT_CONTINUE: return send(.continue)
    case SND_SEQ_EVENT_STOP: return send(.stop)
    case SND_SEQ_EVENT_SENSING: return send(.activeSensing)
    case SND_SEQ_EVENT_RESET: return send(.reset)
    case SND_SEQ_EVENT_TUNE_REQUEST: return send(.tuneRequest)
    case SND_SEQ_EVENT_SONGPOS:
      if let value = MIDIUInt14(exactly: Int(control.value)) { send(.songPosition(value)) }
      return
    case SND_SEQ_EVENT_SONGSEL:
      if let value = MIDIUInt7(exactly: Int(control.value)) { send(.songSelect(value)) }
      return
    case SND_SEQ_EVENT_QFRAME:
      if let value = MIDIUInt7(exactly: Int(control.value)) { send(.quarterFrame(value)) }
      return
    default: break
    }
    guard let channel = MIDIChannel(exactly: Int(control.channel)) else { return }
    let (number, value) = (Int(control.param), Int(control.value))
    switch type {
    case SND_SEQ_EVENT_CONTROLLER:
      guard let number = MIDIUInt7(exactly: number), let value = MIDIUInt7(exactly: value) else { return }
      send(.control(channel, number, value))
    case SND_SEQ_EVENT_PGMCHANGE:
      if let value = MIDIUInt7(exactly: value) { send(.program(channel, value)) }
    case SND_SEQ_EVENT_CHANPRESS:
      if let value = MIDIUInt7(exactly: value) { send(.pressure(channel, value)) }
    case SND_SEQ_EVENT_PITCHBEND:
      if let value = MIDIUInt14(exactly: value + 8192) { send(.bend(channel, value)) }
    case SND_SEQ_EVENT_CONTROL14:
      guard let number = MIDIUInt7(exactly: number), let value = MIDIUInt14(exactly: value) else { return }
      MIDIMessage.controlPair(channel, number, value, send)
    case SND_SEQ_EVENT_REGPARAM, SND_SEQ_EVENT_NONREGPARAM:
      guard let number = MIDIUInt14(exactly: number), let value = MIDIUInt14(exactly: value) else { return }
      MIDIParameter(isRegistered: type == SND_SEQ_EVENT_REGPARAM, number).write(value, on: channel, send)
    default: break
    }
  }
}
