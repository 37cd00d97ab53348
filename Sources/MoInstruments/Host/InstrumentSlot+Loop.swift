import MoCore
import MoDSP
import Synchronization

/// A recording, and the number of the order it answers.
struct LoopRecording: Sendable, BitwiseCopyable {
  var order = 0
  var melody = Melody(beats: 4)
}

extension InstrumentSlot {
  /// Requests a change of the loop; of two requests in quick succession, the last wins.
  func order(_ order: LoopOrder) {
    lastOrder.withLock { last in
      last = order
      orders.store(order)
      orderCount.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// The melody that the loop plays or has recorded; nil for none.
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

  /// Executes new commands for the loop (record, play, end) and follows the beat; called once per block.
  func followLoop(_ block: borrowing AudioBlock, _ clock: BeatClock) {
    let count = orderCount.load(ordering: .acquiring)
    if count != ordersDone || sequencer.looper.pointee.isBusy { loop(block, clock, orders: count) }
  }

  /// Not inlined: melodies live on the stack, and an idle loop should not need that much of it.
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
