import MoDSP
import MoMu
import MoOSC

/// The OSC addresses of an instrument: any program can play the instrument, and set and query its parameters.
///
/// The addresses begin with `/momu/NAME/`. `Docs/OSC-ADDRESSES.md` lists and explains them.
public enum InstrumentNet {
  /// The addresses below `/momu/NAME/` that every instrument has, with the OSC types of their arguments.
  ///
  /// `PARAMETER` stands for the name of each parameter. `…` stands for more arguments of the same type.
  public static let addresses: [(name: String, types: String)] = rows.map { (name: $0.name, types: $0.types) }

  /// The addresses with their handlers, in the order of the table in `Docs/OSC-ADDRESSES.md`.
  private static let rows = [
    Row(name: "note", types: "ff", open: note),
    Row(name: "strike", types: "f", open: strike),
    Row(name: "bend", types: "f", open: bend),
    Row(name: "off", types: "", open: off),
    Row(name: "record", types: "f", open: record),
    Row(name: "melody", types: "f…", open: melody),
    Row(name: "follow", types: "ii", open: follow),
    Row(name: "PARAMETER", types: "f", open: parameters),
  ]

  /// An address that every instrument has.
  private struct Row: Sendable {
    /// The part of the address below `/momu/NAME/`.
    var name: String
    /// The OSC types of the message's arguments.
    var types: String
    /// Registers the handlers of the messages at the address.
    var open: @Sendable (_ address: String, _ target: Target) -> [MoToken]
  }

  /// The instrument whose addresses are open.
  private struct Target: Sendable {
    var handle: InstrumentHandle
    /// The address of the instrument: `/momu/NAME`.
    var base: String
    var followers: ParameterFollowers
  }

  /// Opens the addresses of an instrument.
  ///
  /// The program then starts to listen, as with `MoNet.on`.
  ///
  /// - Returns: a token; its `cancel()` closes the addresses.
  @discardableResult
  public static func open(_ handle: InstrumentHandle) -> MoToken {
    let base = "/momu/\(handle.name)"
    let followers = ParameterFollowers(handle, base: base)
    let target = Target(handle: handle, base: base, followers: followers)
    var tokens: [MoToken] = []
    for row in rows { tokens += row.open("\(base)/\(row.name)", target) }
    tokens.append(all(target))
    if !Run.current.isOffline { try? Run.current.input.add(followers) { _ in } }
    return MoToken { [tokens] in
      for token in tokens { token.cancel() }
      Run.current.input.remove(followers)
    }
  }

  /// Begins a note with a pitch and a force; a force of 0 releases the note.
  private static func note(_ address: String, _ target: Target) -> [MoToken] {
    let token = event(target.handle, address) { (pitch: Float, velocity: Float) in
      .noteOn(Note(pitch, velocity: velocity))
    }
    return [token]
  }

  private static func strike(_ address: String, _ target: Target) -> [MoToken] {
    [event(target.handle, address) { (force: Float) in .strike(force) }]
  }

  private static func bend(_ address: String, _ target: Target) -> [MoToken] {
    [event(target.handle, address) { (semitones: Float) in .bend(semitones) }]
  }

  private static func off(_ address: String, _ target: Target) -> [MoToken] {
    [event(target.handle, address) { () in .allOff }]
  }

  /// Records a loop of the given number of beats; the number 0 ends the loop.
  private static func record(_ address: String, _ target: Target) -> [MoToken] {
    let handle = target.handle
    let token = MoNet.on(address) { (_: NetMessage, beats: Float) in
      if beats > 0 { handle.record(beats: beats) } else { handle.loop = nil }
    }
    return [token]
  }

  /// Repeats a melody as a loop; a message without arguments, or with a key as its only argument, queries the loop.
  private static func melody(_ address: String, _ target: Target) -> [MoToken] {
    let (handle, followers) = (target.handle, target.followers)
    let token = MoNet.on(address) { (message: NetMessage) in
      if message.arguments.isEmpty || isKey(message.arguments) {
        guard message.address == address else { return }
        followers.answer(message) {
          handle.loop.map { .message(OSCMessage(address, $0.message.arguments)) }
        }
      } else if let melody = try? Melody(message.arguments) {
        handle.loop = melody
      }
    }
    return [token]
  }

  /// Subscribes a port of the sender's machine to the changes of all parameters; the second argument is the key.
  private static func follow(_ address: String, _ target: Target) -> [MoToken] {
    let followers = target.followers
    let token = MoNet.on(address) { (message: NetMessage) in
      let values = message.arguments.prefix(2).compactMap { Int32(osc: $0) }
      if let port = values.first {
        followers.add(
          message.sender, port: port, key: values.count > 1 ? values[1] : nil,
          isProven: message.isFromStream)
      }
    }
    return [token]
  }

  /// Opens the address of each parameter.
  private static func parameters(_ address: String, _ target: Target) -> [MoToken] {
    let handle = target.handle
    return handle.parameters.indices.map { parameter($0, of: handle, base: target.base) }
  }

  /// Opens the address of the instrument itself, at which a program queries all parameters.
  private static func all(_ target: Target) -> MoToken {
    let (handle, base, followers) = (target.handle, target.base, target.followers)
    return MoNet.on(base) { (message: NetMessage) in
      guard message.address == base else { return }
      followers.answer(message) { followers.bundle(Array(handle.parameters.indices)) }
    }
  }

  /// Returns whether a query has exactly one argument and this argument is a key: an `int32` with which the sender
  /// proves its address.
  private static func isKey(_ arguments: [OSCArgument]) -> Bool {
    if arguments.count == 1, case .int32 = arguments[0] { true } else { false }
  }

  /// Registers a handler that plays an event for each message at an address.
  ///
  /// The event takes effect at the time tag of the message; without a time tag, on arrival.
  private static func event<each Value: OSCReadable>(
    _ handle: InstrumentHandle, _ address: String,
    _ convert: @escaping @Sendable (repeat each Value) -> InstrumentEvent
  ) -> MoToken {
    MoNet.onAhead(address) { (played: HostTime, heard: HostTime?, values: repeat each Value) in
      // Bypasses the relay: an event from the network is not sent to the room again.
      guard let event = convert(repeat each values).cleaned else {
        handle.slot.inbox.refuse()
        return true
      }
      return handle.slot.inbox.add(.event(event), played: played, heard: heard)
    }
  }

  /// Registers a handler that sets or returns the value of a parameter for each message at the parameter's address.
  ///
  /// A message with a number sets the parameter at the message's time tag. A message without arguments queries the
  /// value.
  private static func parameter(_ index: Int, of handle: InstrumentHandle, base: String) -> MoToken {
    let address = "\(base)/\(handle.parameters[index].name)"
    return NetServer.shared.on(address, .every, .play, isAhead: true, wants: "(Float)") { values, context in
      guard values.count > 0 else {
        let question = NetMessage(values, context)
        // A pattern would query many parameters, and the answers would be many times as long.
        if question.address == address { try? question.reply(address, handle.value(index)) }
        return .taken
      }
      guard values.count == 1, let value = Float(osc: values[0]) else { return .mismatched }
      return handle.set(index, to: value, at: context.time, heardAt: context.moment) == nil ? .full : .taken
    }
  }
}
