import MIDICore
import MoCore
import MoDSP
import MoMIDI

/// Plays an instrument with MIDI messages.
///
/// | message | effect |
/// |---|---|
/// | note | a note; on drums, General MIDI's percussion map |
/// | pitch wheel | bends all notes by ±2 semitones, or by the range of RPN 0; in an MPE zone (RPN 6), bends one note |
/// | pressure | more force for the notes that are held |
/// | controller 64 | the parameter `pedal`; if there is none, the pedal holds notes |
/// | controller 7 | `loudness` |
/// | controller 120 | ends the notes of its port and channel; the parameter `pedal`, if there is one, still holds notes |
/// | controllers 123…127 | release the keys of their port and channel; a pedal that is down still holds the notes |
/// | controller 121 | bend and pressure 0, pedal up |
/// | other controllers | the parameter that `LearnedControls` assigned; else the mapping: `cc74 -> brightness` |
/// | program change | the parameter `preset`, if the instrument has this parameter |
///
/// - Thread: any, but one at a time.
package struct MIDIPlayer {
  private let handle: InstrumentHandle
  private let pedal: Int?
  private let preset: Int?
  private let learned: LearnedControls?
  private var reader = MIDIParameterReader()
  private var ports: [String] = []
  private var channels = [Channel](repeating: Channel(), count: 16)
  /// The sounding notes; their memory is allocated once, in `init`.
  private var notes: [Held] = []
  /// Whether the latest message came with its heard time; if false, the message came with its played time.
  private var isScheduled = false
  private var zones = MPEZones()

  private struct Channel {
    /// The position of the pitch wheel, -1…1.
    var wheel: Float = 0
    /// The bend at either end of the pitch wheel, in semitones; nil for the default: 48 on a member channel of an MPE
    /// zone, 2 on other channels.
    var range: Float?
    var pressure: Float = 0
    var isPedalDown = false
  }

  private struct Held {
    var id: Int32
    /// The place of the note's port in `ports`.
    var port: UInt8
    var channel: UInt8
    var key: UInt8
    var velocity: Float
    var isDown = true
  }

  /// The maximum number of sounding notes; a further note ends the oldest note.
  static let most = 256

  /// Creates a player without notes.
  ///
  /// - Parameters:
  ///   - handle: the instrument that is played.
  ///   - learned: the assignments of controllers to parameters; nil for none.
  package init(_ handle: InstrumentHandle, learned: LearnedControls? = nil) {
    (self.handle, self.learned) = (handle, learned)
    pedal = handle.index(of: "pedal")
    preset = handle.index(of: "preset")
    notes.reserveCapacity(Self.most + 1)
  }

  /// Handles a MIDI message, as the table of `MIDIPlayer` says.
  package mutating func handle(_ event: MIDIEvent) {
    let time = event.time
    isScheduled = event.isScheduled
    switch event.message {
    case .noteOn(let channel, let key, let velocity) where velocity > 0:
      press(channel, key, Float(velocity.value) / 127, event)
    case .noteOn(let channel, let key, _), .noteOff(let channel, let key, _): release(channel, key, event)
    case .keyPressure(let channel, let key, let value):
      for index in notes.indices where notes[index].channel == channel.index && notes[index].key == key.value
      {
        move(index, pressure: Float(value.value) / 127, at: time)
      }
    case .pressure(let channel, let value):
      channels[Int(channel.index)].pressure = Float(value.value) / 127
      for index in notes.indices where notes[index].channel == channel.index {
        move(index, pressure: Float(value.value) / 127, at: time)
      }
    case .bend(let channel, let place):
      channels[Int(channel.index)].wheel = MIDIBend.part(place)
      bend(channel, at: time)
    case .program(_, let number):
      if let preset { set(preset, to: Float(number.value), at: time) }
    case .control(let channel, let number, let value): control(channel, number, value, event)
    case .reset: releaseAll(at: time)
    default: break
    }
  }

  /// Ends all notes that this player began, and resets bend, pressure and pedal on all channels.
  package mutating func releaseAll(at time: HostTime) {
    for note in notes { end(note, at: time) }
    notes.removeAll(keepingCapacity: true)
    for channel in UInt8(0)..<16 { rest(MIDIChannel(lowBitsOf: channel), at: time) }
  }

  // MARK: Notes

  private mutating func press(_ channel: MIDIChannel, _ key: MIDIUInt7, _ velocity: Float, _ event: MIDIEvent)
  {
    let id = id(channel, key, event.port)
    let port = place(of: event.port)
    if let index = notes.firstIndex(where: { $0.id == id }) {
      send(.noteOff(Note(Float(key.value), velocity: 0.5, id: id)), at: event.time)
      notes.remove(at: index)
    }
    if notes.count >= Self.most {
      end(notes[0], at: event.time)
      notes.remove(at: 0)
    }
    notes.append(Held(id: id, port: port, channel: channel.index, key: key.value, velocity: velocity))
    send(.noteOn(Note(pitch(channel, key.value), velocity: velocity, id: id)), at: event.time)
  }

  private mutating func release(_ channel: MIDIChannel, _ key: MIDIUInt7, _ event: MIDIEvent) {
    let id = id(channel, key, event.port)
    if let index = notes.firstIndex(where: { $0.id == id }) {
      notes[index].isDown = false
      if pedal == nil, channels[Int(channel.index)].isPedalDown { return }
      notes.remove(at: index)
    }
    // Also of a note that an earlier player began: an instrument that took this one's place has it.
    send(.noteOff(Note(Float(key.value), velocity: 0.5, id: id)), at: event.time)
  }

  private func end(_ note: Held, at time: HostTime) {
    send(.noteOff(Note(Float(note.key), velocity: 0.5, id: note.id)), at: time)
  }

  /// Sends an event with its time, as a heard time if `isScheduled` is true, otherwise as a played time.
  private func send(_ event: InstrumentEvent, at time: HostTime) {
    handle.send(event, at: time, heardAt: heard(time))
  }

  /// Sets a parameter at the time of a message, as `send` sends an event: a setting stays before the next note.
  private func set(_ index: Int, to value: Float, at time: HostTime) {
    handle.set(index, to: value, at: time, heardAt: heard(time))
  }

  /// Returns the time of the latest message if it is a heard time, nil if it is a played time.
  private func heard(_ time: HostTime) -> HostTime? { isScheduled ? time : nil }

  /// Returns the ID of a note from its port, channel and key.
  ///
  /// The IDs are −5,000,000 or lower, far from the IDs of typed keys, loops and other players.
  private mutating func id(_ channel: MIDIChannel, _ key: MIDIUInt7, _ port: String) -> Int32 {
    -5_000_000 - Int32(place(of: port)) * 2048 - Int32(channel.index) * 128 - Int32(key.value)
  }

  /// Returns the place of a port in `ports`; a new port is added, or shares the last place of 64.
  private mutating func place(of port: String) -> UInt8 {
    if let place = ports.firstIndex(of: port) { return UInt8(place) }
    guard ports.count < 64 else { return 63 }
    ports.append(port)
    return UInt8(ports.count - 1)
  }

  private func move(_ index: Int, pressure: Float, at time: HostTime) {
    let note = notes[index]
    let pitch = pitch(MIDIChannel(lowBitsOf: note.channel), note.key)
    let velocity = note.velocity + (1 - note.velocity) * pressure
    send(.noteMove(Note(pitch, velocity: velocity, id: note.id)), at: time)
  }

  // MARK: Bend

  private func semitones(_ channel: MIDIChannel) -> Float {
    let state = channels[Int(channel.index)]
    return state.wheel * (state.range ?? (zones.isMember(channel) ? 48 : 2))
  }

  private func pitch(_ channel: MIDIChannel, _ key: UInt8) -> Float {
    Float(key) + (zones.isMember(channel) ? semitones(channel) : 0)
  }

  private func bend(_ channel: MIDIChannel, at time: HostTime) {
    guard zones.isMember(channel) else {
      send(.bend(semitones(channel)), at: time)
      return
    }
    let pressure = channels[Int(channel.index)].pressure
    for index in notes.indices where notes[index].channel == channel.index {
      move(index, pressure: pressure, at: time)
    }
  }

  // MARK: Controllers

  private mutating func control(
    _ channel: MIDIChannel, _ number: MIDIUInt7, _ value: MIDIUInt7, _ event: MIDIEvent
  ) {
    let time = event.time
    if case .value(_, let parameter, let setting)? = reader.read(.control(channel, number, value)) {
      set(parameter, setting, channel, time)
    }
    switch number.value {
    case 120:
      let port = place(of: event.port)
      end(at: time) { $0.port == port && $0.channel == channel.index }
    case 123...127: releaseKeys(channel, event)
    case 121: rest(channel, at: time)
    // The parameter reader has taken these.
    case 6, 38, 96...101: break
    default:
      if let learned,
        learned.handle(
          Int(number.value), value: Float(value.value), from: event.port, on: handle, at: time,
          heardAt: heard(time))
      {
        return
      }
      if number.value < 120,
        handle.control(Int(number.value), value: Float(value.value), at: time, heardAt: heard(time))
      {
        return
      }
      if number == 64 { setPedal(channel, isDown: value.value >= 64, at: time) }
      if number == 7 { set(handle.parameterRange.upperBound - 1, to: Float(value.value) / 127, at: time) }
    }
  }

  private mutating func set(
    _ parameter: MIDIParameter, _ value: MIDIUInt14, _ channel: MIDIChannel, _ time: HostTime
  ) {
    switch parameter {
    case .bendRange:
      // The range of an MPE zone applies to all its members, whichever member receives it (JUCE does the same).
      for index in zones.zone(of: channel) {
        channels[index].range = min(Float(value.high.value) + Float(value.low.value) / 100, 96)
        bend(MIDIChannel(lowBitsOf: UInt8(index)), at: time)
      }
    case .mpeZone where channel.index == 0 || channel.index == 15:
      for index in zones.set(Int(value.high.value), master: Int(channel.index)) {
        channels[index].range = nil
      }
    default: break
    }
  }

  private mutating func setPedal(_ channel: MIDIChannel, isDown: Bool, at time: HostTime) {
    channels[Int(channel.index)].isPedalDown = isDown
    if let pedal {
      set(pedal, to: isDown ? 1 : 0, at: time)
    } else if !isDown {
      end(at: time) { $0.channel == channel.index && !$0.isDown }
    }
  }

  /// Releases all keys of an event's port on a channel, as a note-off of each key would.
  private mutating func releaseKeys(_ channel: MIDIChannel, _ event: MIDIEvent) {
    let port = place(of: event.port)
    for index in notes.indices where notes[index].port == port && notes[index].channel == channel.index {
      notes[index].isDown = false
    }
    if pedal == nil, channels[Int(channel.index)].isPedalDown { return }
    end(at: event.time) { $0.port == port && $0.channel == channel.index }
  }

  private mutating func end(at time: HostTime, where isIt: (Held) -> Bool) {
    for note in notes where isIt(note) { end(note, at: time) }
    notes.removeAll(where: isIt)
  }

  private mutating func rest(_ channel: MIDIChannel, at time: HostTime) {
    let index = Int(channel.index)
    if channels[index].isPedalDown { setPedal(channel, isDown: false, at: time) }
    channels[index].pressure = 0
    guard channels[index].wheel != 0 else { return }
    channels[index].wheel = 0
    bend(channel, at: time)
  }
}
