import MoCore
import MoDSP

extension InstrumentSlot {
  /// Seconds in which an instrument and the one in its place cross-fade.
  static let crossfade = 0.25

  /// Has it take the place of another when it is first rendered: its parameters are set alike, movement goes on,
  /// and it plays on the same grid.
  ///
  /// A parameter that nobody has set has the new instrument's own default.
  ///
  /// - Thread: the one that sets up, before the seat is on a bus; `other` must live until it has left its own.
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
    // The same rules go on as they are; others let go of what a gate may hold.
    if inherited.mapping != own { inherited.mapping = own }
    mapper.withLock { $0 = inherited }
    predecessor = UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
  }

  /// Takes over from the one before: its held notes, what is on its way to it and what waits for a line, while they
  /// cross-fade.
  ///
  /// - Thread: the one that renders.
  /// - Real-time safe: yes.
  func takeOver() {
    guard let place = predecessor else { return }
    predecessor = nil
    let frames = max(1, Int(InstrumentSlot.crossfade * sampleRate))
    presence = ControlGlide(0)
    presence.head(for: 1, in: frames)
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef { other in
      other.presence.head(for: 0, in: frames)
      // What rings out by itself is not struck again.
      if sheet.holds {
        for index in 0..<other.held.count { take(.event(.noteOn(other.held[index]))) }
      }
      while let message = other.inbox.receive() {
        if case .event = message.element.event { _ = inbox.add(message.element, at: message.time) }
      }
      // The end of a note that comes later finds its note here.
      sequencer.inherit(&other.sequencer)
    }
  }

  /// Sends the one before away where nobody renders.
  func takeOverInSilence() {
    guard let place = predecessor else { return }
    predecessor = nil
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef {
      $0.hasLeft.store(true, ordering: .releasing)
    }
  }
}
