import MoDSP
import MoMu
import MoOSC

/// An instrument's addresses on the network: everybody may play it, set it, and ask how it is set.
///
/// Below `/momu/NAME/`, as `Docs/OSC-ADDRESSES.md` lists them: `note`, `strike`, `bend`, `off`, each parameter by its
/// own name, `record` and `melody` for its loop, and `follow` for whoever wants to be told of changes.
public enum InstrumentNet {
  /// The addresses below `/momu/NAME/` that every instrument has, with their types.
  public static let addresses: [(name: String, types: String)] = [
    ("note", "ff"), ("strike", "f"), ("bend", "f"), ("off", ""), ("record", "f"), ("melody", "f…"),
    ("follow", "ii"), ("PARAMETER", "f"),
  ]

  /// Opens an instrument's addresses.
  ///
  /// It starts to listen, as `MoNet.on` does.
  ///
  /// - Returns: a token whose `cancel()` closes them.
  @discardableResult
  public static func open(_ handle: InstrumentHandle) -> MoToken {
    let base = "/momu/\(handle.name)"
    let followers = Followers(handle, base: base)
    var tokens = [
      // Pitch and force; a force of 0 lets it go.
      event(handle, "\(base)/note") { (pitch: Float, velocity: Float) in
        .noteOn(Note(pitch, velocity: velocity))
      },
      event(handle, "\(base)/strike") { (force: Float) in .strike(force) },
      event(handle, "\(base)/bend") { (semitones: Float) in .bend(semitones) },
      event(handle, "\(base)/off") { () in .allOff },
      // So many beats; none for an end.
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

  /// Whether a question has nothing but a key.
  private static func isKey(_ arguments: [OSCArgument]) -> Bool {
    if arguments.count == 1, case .int32 = arguments[0] { true } else { false }
  }

  /// A message plays an event: heard at the moment of its time tag, or, without a tag, played as it came.
  private static func event<each Value: OSCReadable>(
    _ handle: InstrumentHandle, _ address: String,
    _ convert: @escaping @Sendable (repeat each Value) -> InstrumentEvent
  ) -> MoToken {
    MoNet.onAhead(address) { (played: HostTime, heard: HostTime?, values: repeat each Value) in
      // Straight to the sound: what comes by the network is not told to a room again.
      guard let event = convert(repeat each values).cleaned else {
        handle.seat.refused.wrappingAdd(1, ordering: .relaxed)
        return true
      }
      return handle.seat.send(.event(event), played: played, heard: heard)
    }
  }

  /// A number sets the parameter, at the moment of its time tag; no value asks for it.
  private static func parameter(_ index: Int, of handle: InstrumentHandle, base: String) -> MoToken {
    let address = "\(base)/\(handle.parameters[index].name)"
    return NetServer.shared.on(address, .every, .play, isAhead: true, wants: "(Float)") { values, context in
      guard values.count > 0 else {
        let question = NetMessage(values, context)
        // A pattern asks for many at once: their answers would be many times as long.
        if question.address == address { try? question.reply(address, handle.value(index)) }
        return .taken
      }
      guard values.count == 1, let value = Float(osc: values[0]) else { return .mismatched }
      return handle.set(index, to: value, at: context.time, heardAt: context.moment) == nil ? .full : .taken
    }
  }
}
