import MoDSP
import MoMu
import MoOSC

/// The OSC addresses of an instrument: any program can play the instrument, and set and query its parameters.
///
/// The addresses begin with `/momu/NAME/`, as listed in `Docs/OSC-ADDRESSES.md`. They end with `note`, `strike`,
/// `bend`, `off`, the name of a parameter, `record` or `melody` for the loop, or `follow` to subscribe to changes.
public enum InstrumentNet {
  /// The addresses below `/momu/NAME/` that every instrument has, with the OSC types of their arguments.
  ///
  /// `PARAMETER` stands for the name of each parameter. `…` stands for more arguments of the same type.
  public static let addresses: [(name: String, types: String)] = [
    ("note", "ff"), ("strike", "f"), ("bend", "f"), ("off", ""), ("record", "f"), ("melody", "f…"),
    ("follow", "ii"), ("PARAMETER", "f"),
  ]

  /// Opens the addresses of an instrument.
  ///
  /// The program then starts to listen, as with `MoNet.on`.
  ///
  /// - Returns: a token; its `cancel()` closes the addresses.
  @discardableResult
  public static func open(_ handle: InstrumentHandle) -> MoToken {
    let base = "/momu/\(handle.name)"
    let followers = Followers(handle, base: base)
    var tokens = [
      // Pitch and force; a force of 0 releases the note.
      event(handle, "\(base)/note") { (pitch: Float, velocity: Float) in
        .noteOn(Note(pitch, velocity: velocity))
      },
      event(handle, "\(base)/strike") { (force: Float) in .strike(force) },
      event(handle, "\(base)/bend") { (semitones: Float) in .bend(semitones) },
      event(handle, "\(base)/off") { () in .allOff },
      // The number of beats; 0 ends the loop.
      MoNet.on("\(base)/record") { (_: NetMessage, beats: Float) in
        if beats > 0 { handle.record(beats: beats) } else { handle.loop = nil }
      },
      MoNet.on("\(base)/melody") { message in
        if message.arguments.isEmpty || isKey(message.arguments) {
          guard message.address == "\(base)/melody" else { return }
          followers.answer(message) {
            handle.loop.map { .message(OSCMessage("\(base)/melody", $0.message.arguments)) }
          }
        } else if let melody = try? Melody(message.arguments) {
          handle.loop = melody
        }
      },
      MoNet.on("\(base)/follow") { message in
        let values = message.arguments.prefix(2).compactMap { Int32(osc: $0) }
        if let port = values.first {
          followers.add(
            message.sender, port: port, key: values.count > 1 ? values[1] : nil,
            isProven: message.isFromStream)
        }
      },
      MoNet.on(base) { message in
        guard message.address == base else { return }
        followers.answer(message) { followers.bundle(Array(handle.parameters.indices)) }
      },
    ]
    for index in handle.parameters.indices {
      tokens.append(parameter(index, of: handle, base: base))
    }
    if !Run.current.isOffline { try? Run.current.input.add(followers) { _ in } }
    return MoToken { [tokens] in
      for token in tokens { token.cancel() }
      Run.current.input.remove(followers)
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
        handle.seat.inbox.refuse()
        return true
      }
      return handle.seat.send(.event(event), played: played, heard: heard)
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
