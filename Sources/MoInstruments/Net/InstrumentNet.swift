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
      MoNet.on("\(base)/note", into: handle.seat.events) { (pitch: Float, velocity: Float) in
        handle.event(.noteOn(Note(pitch, velocity: velocity)))
      },
      MoNet.on("\(base)/strike", into: handle.seat.events) { (force: Float) in handle.event(.strike(force)) },
      MoNet.on("\(base)/bend", into: handle.seat.events) { (semitones: Float) in
        handle.event(.bend(semitones))
      },
      MoNet.on("\(base)/off", into: handle.seat.events) { () -> SeatEvent in .event(.allOff) },
      // So many beats; none for an end.
      MoNet.on("\(base)/record") { (_: NetMessage, beats: Float) in
        if beats > 0 { handle.record(beats: beats) } else { handle.loop = nil }
      },
      MoNet.on("\(base)/melody") { message in
        if message.arguments.isEmpty {
          if let melody = handle.loop {
            try? message.reply(.message(OSCMessage("\(base)/melody", melody.message.arguments)))
          }
        } else if let melody = try? Melody(message.arguments) {
          handle.loop = melody
        }
      },
      MoNet.on("\(base)/follow") { message in
        let values = message.arguments.prefix(2).compactMap { Int32(osc: $0) }
        if let port = values.first {
          followers.add(message.sender, port: port, key: values.count > 1 ? values[1] : nil)
        }
      },
      MoNet.on(base) { message in followers.answer(message) },
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

  /// A number sets the parameter, at the moment of its time tag; no value asks for it.
  private static func parameter(_ index: Int, of handle: InstrumentHandle, base: String) -> MoToken {
    let address = "\(base)/\(handle.parameters[index].name)"
    return NetServer.shared.on(address, .every, .play, isAhead: true, wants: "(Float)") { values, context in
      guard values.count > 0 else {
        try? NetMessage(values, context).reply(address, handle.value(index))
        return .taken
      }
      guard values.count == 1, let value = Float(osc: values[0]) else { return .mismatched }
      return handle.set(index, to: value, at: context.time) == nil ? .full : .taken
    }
  }
}

extension InstrumentHandle {
  /// What goes to the instrument for an event; nothing, and counted, where it holds something that is no number.
  func event(_ event: InstrumentEvent) -> SeatEvent {
    if let event = event.cleaned { return .event(event) }
    seat.refused.wrappingAdd(1, ordering: .relaxed)
    return .nothing
  }
}
