import MIDICore
import MoCore
import MoRuntime

/// Functions that send MIDI messages.
extension MoMIDI {
  /// Plays a note of a given length; if notes of the same key overlap, the key is released when the last of them ends.
  ///
  /// - Parameters:
  ///   - key: 0…127; 60 is the middle C.
  ///   - velocity: 0…1; clamped, and at least 1 of 127. NaN and infinity throw an error.
  ///   - length: the time from the beginning of the note to its release, at least 1 ms.
  ///   - time: when the note was played; now if nil.
  ///   - heard: when the note is to be heard, in place of `time`.
  ///   - channel: 1…16; if nil, the channel of `--midi-channel`, or 1.
  /// - Throws: `MIDIError`.
  public static func playNote(
    _ key: Int, velocity: Float = 0.8, length: Duration = .milliseconds(250), at time: HostTime? = nil,
    heardAt heard: HostTime? = nil, channel: Int? = nil
  ) throws {
    let (channel, key) = (try Self.channel(channel), try MIDIUInt7(key, "key"))
    let velocity = max(1, try MIDIUInt7(part: velocity, "velocity"))
    let start = MIDIServer.shared.leaving(at: time, heardAt: heard, in: .current)
    let nanoseconds = max(length, .milliseconds(1)).nanoseconds
    try send(.note(channel, key, velocity, nanoseconds: nanoseconds), leaving: start)
  }

  /// Sends a note-on, which presses a key; a velocity that rounds to 0 of 127 releases the key.
  ///
  /// - Parameters:
  ///   - key: 0…127; 60 is the middle C.
  ///   - velocity: 0…1; clamped. NaN and infinity throw an error.
  ///   - time: when the key was pressed; now if nil.
  ///   - heard: when the note is to be heard, in place of `time`.
  ///   - channel: 1…16; if nil, the channel of `--midi-channel`, or 1.
  /// - Throws: `MIDIError`.
  public static func noteOn(
    _ key: Int, velocity: Float = 0.8, at time: HostTime? = nil, heardAt heard: HostTime? = nil,
    channel: Int? = nil
  ) throws {
    let velocity = try MIDIUInt7(part: velocity, "velocity")
    try send(
      .noteOn(Self.channel(channel), MIDIUInt7(key, "key"), velocity: velocity), at: time, heardAt: heard)
  }

  /// Sends a note-off, which releases a key.
  ///
  /// - Parameters:
  ///   - key: 0…127; 60 is the middle C.
  ///   - time: when the key was released; now if nil.
  ///   - heard: when the release is to be heard, in place of `time`.
  ///   - channel: 1…16; if nil, the channel of `--midi-channel`, or 1.
  /// - Throws: `MIDIError`.
  public static func noteOff(
    _ key: Int, at time: HostTime? = nil, heardAt heard: HostTime? = nil, channel: Int? = nil
  ) throws {
    try send(.noteOff(Self.channel(channel), MIDIUInt7(key, "key"), velocity: 64), at: time, heardAt: heard)
  }

  /// Sends a new value of a controller.
  ///
  /// - Parameters:
  ///   - number: the number of the controller, 0…127.
  ///   - value: 0…1; clamped. NaN and infinity throw an error.
  ///   - time: when the change was played; now if nil.
  ///   - heard: when the change is to be heard, in place of `time`.
  ///   - channel: 1…16; if nil, the channel of `--midi-channel`, or 1.
  /// - Throws: `MIDIError`.
  public static func control(
    _ number: Int, to value: Float, at time: HostTime? = nil, heardAt heard: HostTime? = nil,
    channel: Int? = nil
  ) throws {
    let value = try MIDIUInt7(part: value, "controller's value")
    try send(
      .control(Self.channel(channel), MIDIUInt7(number, "controller"), value), at: time, heardAt: heard)
  }

  /// Sends a new position of the pitch wheel.
  ///
  /// - Parameters:
  ///   - value: -1…1, 0 at rest; clamped. NaN and infinity throw an error.
  ///   - time: when the change was played; now if nil.
  ///   - heard: when the change is to be heard, in place of `time`.
  ///   - channel: 1…16; if nil, the channel of `--midi-channel`, or 1.
  /// - Throws: `MIDIError`.
  public static func bend(
    _ value: Float, at time: HostTime? = nil, heardAt heard: HostTime? = nil, channel: Int? = nil
  ) throws {
    guard value.isFinite else { throw MIDIError.noNumber("bend") }
    let steps = (value * (value < 0 ? 8192 : 8191)).rounded()
    let place = MIDIUInt14(clamping: 8192 + Int(max(-8192, min(steps, 8191))))
    try send(.bend(Self.channel(channel), place), at: time, heardAt: heard)
  }

  /// Sends the pressure (aftertouch) on a key, or on all keys of a channel.
  ///
  /// - Parameters:
  ///   - value: 0…1; clamped. NaN and infinity throw an error.
  ///   - key: the key, 0…127; nil for all keys of the channel.
  ///   - time: when the change was played; now if nil.
  ///   - heard: when the change is to be heard, in place of `time`.
  ///   - channel: 1…16; if nil, the channel of `--midi-channel`, or 1.
  /// - Throws: `MIDIError`.
  public static func pressure(
    _ value: Float, key: Int? = nil, at time: HostTime? = nil, heardAt heard: HostTime? = nil,
    channel: Int? = nil
  ) throws {
    let (channel, value) = (try Self.channel(channel), try MIDIUInt7(part: value, "pressure"))
    let message =
      try key.map { key throws(MIDIError) in
        MIDIMessage.keyPressure(channel, try MIDIUInt7(key, "key"), value)
      }
      ?? .pressure(channel, value)
    try send(message, at: time, heardAt: heard)
  }

  /// Sends a program change, which selects another sound of the receiver.
  ///
  /// - Parameters:
  ///   - number: the number of the sound, 0…127.
  ///   - time: when the change was played; now if nil.
  ///   - heard: when the change is to be heard, in place of `time`.
  ///   - channel: 1…16; if nil, the channel of `--midi-channel`, or 1.
  /// - Throws: `MIDIError`.
  public static func program(
    _ number: Int, at time: HostTime? = nil, heardAt heard: HostTime? = nil, channel: Int? = nil
  ) throws {
    try send(.program(Self.channel(channel), MIDIUInt7(number, "program")), at: time, heardAt: heard)
  }

  /// Sends a SysEx message, at the pace of a MIDI cable: 3,125 bytes a second.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the message, with F0 and F7 or without both; the other bytes are 0…127.
  ///   - time: when the message was played; now if nil.
  ///   - heard: when the message is to be heard, in place of `time`.
  /// - Throws: `MIDIError`.
  public static func sysEx(
    _ bytes: [UInt8], at time: HostTime? = nil, heardAt heard: HostTime? = nil
  ) throws {
    let message = bytes.first == 0xF0 ? bytes : [0xF0] + bytes + [0xF7]
    guard MIDITapeMessage.isSysEx(message) else {
      throw MIDIError.badSysEx("its bytes are 0 to 127, between F0 and F7")
    }
    let server = MIDIServer.shared
    try server.sendSysEx(message, at: server.leaving(at: time, heardAt: heard, in: .current), in: .current)
  }

  /// A command of MIDI Machine Control.
  ///
  /// - Source: *MIDI Machine Control 1.0* (RP-013).
  public enum MachineCommand: UInt8, Sendable, CaseIterable {
    /// Stop.
    case stop = 1
    /// Play.
    case play = 2
    /// Play as soon as the machine is ready.
    case deferredPlay = 3
    /// Wind forward.
    case fastForward = 4
    /// Wind back.
    case rewind = 5
    /// Begin to record.
    case recordStrobe = 6
    /// End the recording and play on.
    case recordExit = 7
    /// Pause.
    case pause = 9
  }

  /// Sends a command of MIDI Machine Control to recorders and DAWs.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - device: the number of the device, 0…126; 127 for all devices.
  ///   - time: when the command was played; now if nil.
  ///   - heard: when the command is to be heard, in place of `time`.
  /// - Throws: `MIDIError`.
  public static func mmc(
    _ command: MachineCommand, device: Int = 127, at time: HostTime? = nil, heardAt heard: HostTime? = nil
  ) throws {
    let device = try MIDIUInt7(device, "device")
    try sysEx([0xF0, 0x7F, device.value, 0x06, command.rawValue, 0xF7], at: time, heardAt: heard)
  }

  /// Releases all notes that were sent and still sound.
  ///
  /// `MoMIDI` sends a note-off for each note, then releases the pedals, then sends controller 123 (all notes off).
  ///
  /// - Parameters:
  ///   - time: when the release was played; nil for now.
  ///   - heard: when the release is to be heard, in place of `time`.
  ///   - channel: the only channel to release, 1…16; nil for all.
  /// - Throws: `MIDIError`.
  public static func allNotesOff(
    at time: HostTime? = nil, heardAt heard: HostTime? = nil, channel: Int? = nil
  ) throws {
    let channel = try channel.map { (number) throws(MIDIError) in try Self.channel(number) }
    try send(.release(channel), leaving: MIDIServer.shared.leaving(at: time, heardAt: heard, in: .current))
  }

  /// Sends a message that is not SysEx; `sysEx(_:at:heardAt:)` sends SysEx messages.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - time: when the message was played; now if nil.
  ///   - heard: when the message is to be heard, in place of `time`.
  /// - Throws: `MIDIError`.
  public static func send(
    _ message: MIDIMessage, at time: HostTime? = nil, heardAt heard: HostTime? = nil
  ) throws {
    try send(.message(message), leaving: MIDIServer.shared.leaving(at: time, heardAt: heard, in: .current))
  }

  private static func send(_ order: MIDISender.Order, leaving time: HostTime) throws {
    try MIDIServer.shared.send(order, at: time, in: .current)
  }

  /// Returns the channel with a number from 1 to 16; if the number is nil, the channel of `--midi-channel`, or 1.
  ///
  /// - Throws: `MIDIError.badChannel` for other numbers.
  private static func channel(_ number: Int?) throws(MIDIError) -> MIDIChannel {
    let number = number ?? Run.current.options.midiChannel ?? 1
    guard let channel = MIDIChannel(exactly: number - 1) else { throw .badChannel(number) }
    return channel
  }
}

extension MIDIUInt7 {
  /// Creates a value of 0…127.
  ///
  /// - Parameter what: the meaning of the number for the error's text, such as `controller`.
  /// - Throws: `MIDIError.badNumber` if the number is outside 0…127.
  init(_ number: Int, _ what: String) throws(MIDIError) {
    guard let value = MIDIUInt7(exactly: number) else { throw .badNumber(what, number, range: 0...127) }
    self = value
  }

  /// Converts a value of 0…1 to the nearest whole number of 0…127; a value outside 0…1 is clamped first.
  ///
  /// - Parameter what: the meaning of the value for the error's text, such as `velocity`.
  /// - Throws: `MIDIError.noNumber` if the value is NaN or infinite.
  init(part: Float, _ what: String) throws(MIDIError) {
    guard part.isFinite else { throw .noNumber(what) }
    self.init(clamping: Int((max(0, min(part, 1)) * 127).rounded()))
  }
}
