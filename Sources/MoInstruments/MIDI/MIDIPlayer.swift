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
/// | pressure | more force for the held notes of its port and channel |
/// | controller 64 | the parameter `pedal`; if there is none, the pedal holds notes of its port and channel |
/// | controller 7 | `loudness` |
/// | controller 120 | ends the notes of its port and channel; the parameter `pedal`, if there is one, still holds notes |
/// | controllers 123…127 | release the keys of their port and channel; a pedal that is down still holds the notes |
/// | controller 121 | for its port and channel: pressure 0, pedal up; also ends the bend of all notes |
/// | other controllers | the parameter that `LearnedControls` assigned; else the mapping: `cc74 -> brightness` |
/// | reset | ends the notes of its port; bend and pressure 0, pedal up |
/// | program change | the parameter `preset`, if the instrument has this parameter |
///
/// If controller 120 comes from a port without sounding notes, such as a panic button, it ends the notes of its channel
/// on all ports.
///
/// - Thread: any, but one at a time.
package struct MIDIPlayer {
  private var handle: InstrumentHandle
  private var pedal: Int?
  private let learned: LearnedControls?
  private var ports: [Port] = []
  /// The sounding notes; their memory is allocated once, in `init`.
  private var notes: [Held] = []
  /// The bend of all notes, in semitones, from the latest movement of a pitch wheel.
  private var wholeBend: Float = 0
  /// Whether the latest message came with its heard time; if false, the message came with its played time.
  private var isScheduled = false

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
    notes.reserveCapacity(Self.most + 1)
  }

  /// Plays another instrument from now on: the successor of the previous instrument, which takes over its held notes.
  ///
  /// The notes, pedals, wheels and MPE zones of the player stay, and the new instrument gets the present bend. So call
  /// this function before the successor takes over.
  ///
  /// - Parameters:
  ///   - next: the new instrument.
  ///   - time: the time of the bend.
  package mutating func change(to next: InstrumentHandle, at time: HostTime) {
    (handle, pedal) = (next, next.index(of: "pedal"))
    isScheduled = false
    if wholeBend != 0 { send(.bend(wholeBend), at: time) }
  }

  /// Handles a MIDI message, as the table of `MIDIPlayer` says.
  package mutating func handle(_ event: MIDIEvent) {
    let time = event.time
    isScheduled = event.isScheduled
    guard let channel = event.message.channel else {
      if event.message == .reset { reset(port(of: event), at: time) }
      return
    }
    let place = Place(port: port(of: event), channel: channel)
    switch event.message {
    case .noteOn(_, let key, let velocity) where velocity > 0:
      press(place, key, Float(velocity.value) / 127, at: time)
    case .noteOn(_, let key, _), .noteOff(_, let key, _): release(place, key, at: time)
    case .keyPressure(_, let key, let value):
      for index in notes.indices where notes[index].place == place && notes[index].key == key.value {
        move(index, pressure: Float(value.value) / 127, at: time)
      }
    case .pressure(_, let value):
      self[place].pressure = Float(value.value) / 127
      for index in notes.indices where notes[index].place == place {
        move(index, pressure: Float(value.value) / 127, at: time)
      }
    case .bend(_, let position):
      self[place].wheel = MIDIBend.part(position)
      bend(place, at: time)
    case .program(_, let number):
      if let preset = handle.index(of: "preset") { set(preset, to: Float(number.value), at: time) }
    case .control(_, let number, let value): control(place, number, value, event)
    default: break
    }
  }

  /// Ends all notes that this player began, and resets bend, pressure and pedal on all channels of all ports.
  package mutating func releaseAll(at time: HostTime) {
    for port in ports.indices { reset(port, at: time) }
  }

  /// Ends the notes of a port, and resets bend, pressure and pedal on its channels.
  private mutating func reset(_ port: Int, at time: HostTime) {
    end(at: time) { $0.place.port == port }
    for index in UInt8(0)..<16 { rest(Place(port: port, channel: MIDIChannel(lowBitsOf: index)), at: time) }
  }

  private subscript(place: Place) -> Channel {
    get { ports[place.port].channels[Int(place.channel.index)] }
    set { ports[place.port].channels[Int(place.channel.index)] = newValue }
  }

  // MARK: Notes

  private mutating func press(_ place: Place, _ key: MIDIUInt7, _ velocity: Float, at time: HostTime) {
    let id = id(place, key)
    if let index = notes.firstIndex(where: { $0.id == id }) {
      end(notes[index], at: time)
      notes.remove(at: index)
    }
    if notes.count >= Self.most {
      end(notes[0], at: time)
      notes.remove(at: 0)
    }
    notes.append(Held(id: id, place: place, key: key.value, velocity: velocity))
    send(.noteOn(Note(pitch(place, key.value), velocity: velocity, id: id)), at: time)
  }

  private mutating func release(_ place: Place, _ key: MIDIUInt7, at time: HostTime) {
    let id = id(place, key)
    if let index = notes.firstIndex(where: { $0.id == id }) {
      notes[index].isDown = false
      if pedal == nil, self[place].isPedalDown { return }
      notes.remove(at: index)
    }
    send(.noteOff(Note(Float(key.value), velocity: 0.5, id: id)), at: time)
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
  private func id(_ place: Place, _ key: MIDIUInt7) -> Int32 {
    -5_000_000 - Int32(place.port) * 2048 - Int32(place.channel.index) * 128 - Int32(key.value)
  }

  /// Returns the index in `ports` of an event's port; a new port is added, or shares the last index of 64.
  private mutating func port(of event: MIDIEvent) -> Int {
    if let port = ports.firstIndex(where: { $0.number == event.portNumber && $0.name == event.port }) {
      return port
    }
    if ports.count < 64 { ports.append(Port(name: event.port, number: event.portNumber)) }
    return ports.count - 1
  }

  private func move(_ index: Int, pressure: Float, at time: HostTime) {
    let note = notes[index]
    let velocity = note.velocity + (1 - note.velocity) * pressure
    send(.noteMove(Note(pitch(note.place, note.key), velocity: velocity, id: note.id)), at: time)
  }

  // MARK: Bend

  private func isMember(_ place: Place) -> Bool { ports[place.port].zones.isMember(place.channel) }

  private func semitones(_ place: Place) -> Float {
    self[place].wheel * (self[place].range ?? (isMember(place) ? 48 : 2))
  }

  private func pitch(_ place: Place, _ key: UInt8) -> Float {
    Float(key) + (isMember(place) ? semitones(place) : 0)
  }

  private mutating func bend(_ place: Place, at time: HostTime) {
    guard isMember(place) else {
      wholeBend = semitones(place)
      send(.bend(wholeBend), at: time)
      return
    }
    let pressure = self[place].pressure
    for index in notes.indices where notes[index].place == place {
      move(index, pressure: pressure, at: time)
    }
  }

  // MARK: Controllers

  private mutating func control(
    _ place: Place, _ number: MIDIUInt7, _ value: MIDIUInt7, _ event: MIDIEvent
  ) {
    let time = event.time
    if case .value(_, let parameter, let setting)? = ports[place.port].reader.read(event.message) {
      set(parameter, setting, place, time)
    }
    switch number.value {
    case 120:
      // A port without notes is a panic button, or `momu midi panic`.
      let hasNote = notes.contains { $0.place.port == place.port }
      end(at: time) { hasNote ? $0.place == place : $0.place.channel == place.channel }
    case 123...127: releaseKeys(place, at: time)
    case 121: rest(place, at: time)
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
      if number == 64 { setPedal(place, isDown: value.value >= 64, at: time) }
      if number == 7 { set(handle.parameterRange.upperBound - 1, to: Float(value.value) / 127, at: time) }
    }
  }

  private mutating func set(
    _ parameter: MIDIParameter, _ value: MIDIUInt14, _ place: Place, _ time: HostTime
  ) {
    switch parameter {
    case .bendRange:
      // The range of an MPE zone applies to all its members, whichever member receives it (JUCE does the same).
      for index in ports[place.port].zones.zone(of: place.channel) {
        let member = Place(port: place.port, channel: MIDIChannel(lowBitsOf: UInt8(index)))
        self[member].range = min(Float(value.high.value) + Float(value.low.value) / 100, 96)
        bend(member, at: time)
      }
    case .mpeZone where [0, 15].contains(place.channel.index):
      for index in ports[place.port].zones.set(Int(value.high.value), master: Int(place.channel.index)) {
        ports[place.port].channels[index].range = nil
      }
    default: break
    }
  }

  private mutating func setPedal(_ place: Place, isDown: Bool, at time: HostTime) {
    self[place].isPedalDown = isDown
    if let pedal { set(pedal, to: isDown ? 1 : 0, at: time) }
    // With a parameter `pedal`, these are notes of an earlier instrument without this parameter.
    if !isDown { end(at: time) { $0.place == place && !$0.isDown } }
  }

  /// Releases all keys of a port on a channel, as a note-off of each key would.
  private mutating func releaseKeys(_ place: Place, at time: HostTime) {
    for index in notes.indices where notes[index].place == place { notes[index].isDown = false }
    if pedal == nil, self[place].isPedalDown { return }
    end(at: time) { $0.place == place }
  }

  private mutating func end(at time: HostTime, where isIt: (Held) -> Bool) {
    for note in notes where isIt(note) { end(note, at: time) }
    notes.removeAll(where: isIt)
  }

  private mutating func rest(_ place: Place, at time: HostTime) {
    if self[place].isPedalDown { setPedal(place, isDown: false, at: time) }
    self[place].pressure = 0
    // The bend of all notes may come from the wheel of another port.
    let isBent = isMember(place) ? self[place].wheel != 0 : wholeBend != 0
    self[place].wheel = 0
    if isBent { bend(place, at: time) }
  }
}
