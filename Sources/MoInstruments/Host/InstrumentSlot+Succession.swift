import MoCore
import MoDSP

extension InstrumentSlot {
  /// The length of the cross-fade between an instrument and its successor, in seconds.
  static let crossfade = 0.25

  /// Makes this seat replace another when it is first rendered, with its parameters, movement and grid.
  ///
  /// A parameter that was never changed gets the default of the new instrument.
  ///
  /// - Thread: the set-up thread, before the seat is on a bus; `other` must live until it has left its own.
  func inherit(_ other: InstrumentSlot) {
    for (index, parameter) in parameters.enumerated() {
      guard let place = other.parameters.firstIndex(where: { $0.name == parameter.name }) else { continue }
      let value = Float(bitPattern: other.shown[place].load(ordering: .relaxed))
      guard value != other.parameters[place].initial, let value = parameter.taken(value) else { continue }
      shown[index].store(value.bitPattern, ordering: .relaxed)
      glides[index] = ControlGlide(value)
    }
    grid.store(other.grid.load())
    var inherited = other.mapper.withLock { $0 }
    let own = mapper.withLock { $0.mapping }
    // An unchanged mapping continues. A different one releases the notes that a gate may hold.
    if inherited.mapping != own { inherited.mapping = own }
    mapper.withLock { $0 = inherited }
    predecessor = UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
  }

  /// Takes over the held notes, queued events and events waiting for a line, and cross-fades.
  ///
  /// - Thread: the rendering thread.
  /// - Real-time safe: yes.
  func takeOver() {
    guard let place = predecessor else { return }
    predecessor = nil
    let frames = max(1, Int(InstrumentSlot.crossfade * sampleRate))
    presence = ControlGlide(0)
    presence.head(for: 1, in: frames)
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef { other in
      other.presence.head(for: 0, in: frames)
      // A sound that rings out by itself is not struck again.
      if sheet.holds {
        for index in 0..<other.held.count { take(.event(.noteOn(other.held[index]))) }
      }
      while let message = other.inbox.receive() {
        if case .event = message.element.event { _ = inbox.add(message.element, at: message.time) }
      }
      // The release of a note that arrives later finds its note here.
      sequencer.inherit(&other.sequencer)
    }
  }

  /// Removes the predecessor if nothing is rendered.
  func takeOverInSilence() {
    guard let place = predecessor else { return }
    predecessor = nil
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef {
      $0.hasLeft.store(true, ordering: .releasing)
    }
  }
}
