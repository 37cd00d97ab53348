import MoCore
import MoDSP
import Synchronization

/// What was recorded for which order.
struct LoopRecording: Sendable, BitwiseCopyable {
  var order = 0
  var melody = Melody(beats: 4)
}

extension InstrumentSlot {
  /// Asks for something to be done with the loop; the last of two that come quickly counts.
  func order(_ order: LoopOrder) {
    lastOrder.withLock { last in
      last = order
      orders.store(order)
      orderCount.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// What was asked to be played, or recorded.
  var loopMelody: Melody? {
    lastOrder.withLock { last in
      switch last.kind {
      case .end: return nil
      case .play: return last.melody
      case .record:
        let take = loopTake.load()
        return take.order == orderCount.load(ordering: .relaxed) ? take.melody : nil
      }
    }
  }

  /// Does what was asked for, and looks at the beat, once a block.
  func followLoop(_ block: borrowing AudioBlock, _ clock: BeatClock) {
    let count = orderCount.load(ordering: .acquiring)
    if count != ordersDone || sequencer.looper.pointee.isBusy { loop(block, clock, orders: count) }
  }

  /// Apart, since melodies lie on the stack: whose loop is idle does not need that much of it.
  @inline(never)
  private func loop(_ block: borrowing AudioBlock, _ clock: BeatClock, orders count: Int) {
    let looper = sequencer.looper
    if count != ordersDone {
      ordersDone = count
      looper.pointee.obey(orders.load())
    }
    let before = (looper.pointee.state, looper.pointee.revision)
    looper.pointee.follow(block, clock)
    let now = (looper.pointee.state, looper.pointee.revision)
    if now.0 == .playing, now != before, let melody = looper.pointee.melody {
      loopTake.store(LoopRecording(order: count, melody: melody))
    }
    loopState.store(now.0.rawValue, ordering: .relaxed)
  }
}
