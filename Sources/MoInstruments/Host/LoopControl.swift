import MoCore
import MoDSP
import Synchronization

/// A recorded melody, and the number of the order that began the recording.
struct LoopRecording: Sendable, BitwiseCopyable {
  var order = 0
  var melody = Melody(beats: 4)
}

/// The orders to an instrument's loop, and their results, exchanged between the program and the rendering thread.
///
/// - Thread: `order`, `melody` and `state` from any; the rest on the rendering thread.
struct LoopControl: ~Copyable, Sendable {
  private let last = Locked(LoopOrder())
  private let orders = LatestValue(LoopOrder())
  private let count = Atomic<Int>(0)
  private let recording = LatestValue(LoopRecording())
  private let shown = Atomic<UInt8>(0)

  /// Orders a change of the loop; the last of two orders in quick succession wins.
  func order(_ order: LoopOrder) {
    last.withLock { last in
      last = order
      orders.store(order)
      count.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// The melody of the last order to play, or the melody that the last order to record has recorded; nil for none.
  var melody: Melody? {
    last.withLock { last in
      switch last.kind {
      case .end: return nil
      case .play: return last.melody
      case .record:
        let take = recording.load()
        return take.order == count.load(ordering: .relaxed) ? take.melody : nil
      }
    }
  }

  /// The current state of the loop.
  ///
  /// - Real-time safe: yes.
  var state: InstrumentHandle.LoopState {
    InstrumentHandle.LoopState(rawValue: shown.load(ordering: .relaxed)) ?? .idle
  }

  /// The number of the last order.
  var number: Int { count.load(ordering: .acquiring) }

  /// The last order.
  var newest: LoopOrder { orders.load() }

  /// Stores the state, for readers on other threads.
  func show(_ state: InstrumentHandle.LoopState) { shown.store(state.rawValue, ordering: .relaxed) }

  /// Stores the melody that was recorded for an order, for readers on other threads.
  func show(_ melody: Melody, for order: Int) { recording.store(LoopRecording(order: order, melody: melody)) }
}

extension Sequencer {
  /// Carries out new orders to the loop and follows the beat; called once per block.
  mutating func followLoop(
    _ control: borrowing LoopControl, _ block: borrowing AudioBlock, _ clock: BeatClock
  ) {
    let count = control.number
    if count != ordersDone || looper.pointee.isBusy { follow(control, block, clock, orders: count) }
  }

  /// Does the work of `followLoop`; not inlined, because melodies need much stack that an idle loop should not use.
  @inline(never)
  private mutating func follow(
    _ control: borrowing LoopControl, _ block: borrowing AudioBlock, _ clock: BeatClock, orders count: Int
  ) {
    let looper = looper
    if count != ordersDone {
      ordersDone = count
      looper.pointee.obey(control.newest)
    }
    let before = (looper.pointee.state, looper.pointee.revision)
    looper.pointee.follow(block, clock)
    let now = (looper.pointee.state, looper.pointee.revision)
    if now.0 == .playing, now != before, let melody = looper.pointee.melody {
      control.show(melody, for: count)
    }
    control.show(now.0)
  }
}
