import MoCore
import MoDSP

/// One instrument after another in the same place.
extension InstrumentSlot {
  /// Makes this slot replace another at this slot's first rendering, with the other's parameters, movement and grid.
  ///
  /// A parameter that was never changed gets the default of the new instrument.
  ///
  /// - Thread: the set-up thread, before the slot is on a bus; `other` must live until `other` has left its own bus.
  final func inherit(_ other: InstrumentSlot) {
    bank.inherit(other.bank)
    grid = other.grid
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
  final func takeOver() {
    guard let place = predecessor else { return }
    predecessor = nil
    fade.enter(sampleRate: sampleRate)
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef { other in
      other.fade.leave(in: SlotFade.crossfade, sampleRate: sampleRate)
      // A sound that rings out by itself is not struck again.
      if sheet.holds {
        for index in 0..<other.held.count { take(.event(.noteOn(other.held[index]))) }
      }
      inbox.inherit(other.inbox)
      // The release of a note that arrives later finds its note here.
      sequencer.inherit(&other.sequencer)
    }
  }

  /// Removes the predecessor if nothing is rendered.
  final func takeOverInSilence() {
    guard let place = predecessor else { return }
    predecessor = nil
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef { $0.finish() }
  }
}
