import MoCore
import MoDSP
import Synchronization

/// A recorded melody, and the number of the `LoopOrder` that started the recording; 0 before the first recording.
struct LoopRecording: Sendable, BitwiseCopyable {
  var order = 0
  var melody = Melody(beats: 4)
}

/// The data that a program and the rendering thread exchange to control an instrument's loop.
///
/// The program sends orders. The rendering thread carries out the orders, and returns the state of the loop and the
/// recorded melody.
///
/// - Thread: `order`, `melody` and `state` from any; the rest on the rendering thread.
struct LoopControl: ~Copyable, Sendable {
  private let last = Locked(LoopOrder())
  private let orders = LatestValue(LoopOrder())
  private let count = Atomic<Int>(0)
  private let recording = LatestValue(LoopRecording())
  private let shown = Atomic<UInt8>(0)

  /// Sends an order to the loop; if two orders are sent during the same block, only the last order is carried out.
  func order(_ order: LoopOrder) {
    last.withLock { last in
      last = order
      orders.store(order)
      count.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// The melody of the last order: the melody to play, or the complete recording.
  ///
  /// The value is nil if the order ended the loop, or if its recording is not complete.
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

  /// The number of the last order: how many orders were sent so far.
  var number: Int { count.load(ordering: .acquiring) }

  /// The last order that was sent.
  var newest: LoopOrder { orders.load() }

  /// Stores the state of the loop, so that other threads can read it.
  func show(_ state: InstrumentHandle.LoopState) { shown.store(state.rawValue, ordering: .relaxed) }

  /// Stores the melody recorded for the order with the number `order`, so that other threads can read it.
  func show(_ melody: Melody, for order: Int) { recording.store(LoopRecording(order: order, melody: melody)) }
}

extension Sequencer {
  /// Carries out a new order to the loop, updates a recording, and reports the loop's state; called once per block.
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
      looper.pointee.execute(control.newest)
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
