import MoCore
import MoDSP

/// The replacement of an instrument by a new instrument, its successor, with a cross-fade.
extension InstrumentSlot {
  /// Copies the parameters, the state of the mapping and the grid of another slot, which this slot will replace.
  ///
  /// The replacement happens at this slot's first rendering. A parameter that has its default value in the other slot
  /// is not copied: in this slot, it keeps the default of the new instrument.
  ///
  /// - Thread: the set-up thread, before this slot is on a bus; `other` must live until it has left its bus.
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

  /// Starts the cross-fade from the predecessor, and takes over its held notes and its events that are not yet heard.
  ///
  /// Held notes are taken over only if notes of the new instrument sound until they are released.
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

  /// Removes the predecessor without a cross-fade; for programs without sound (`--audio none`).
  final func takeOverInSilence() {
    guard let place = predecessor else { return }
    predecessor = nil
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef { $0.finish() }
  }
}
