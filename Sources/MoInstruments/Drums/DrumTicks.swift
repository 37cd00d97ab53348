import MoCore
import MoMu
import Synchronization

/// A step that was played, as the callbacks of `DrumTicks` receive it.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct DrumTick: Hashable, Sendable, BitwiseCopyable {
  /// The time at which the step reaches the ear.
  public var time: HostTime
  /// The frame at which the step begins, counted from the start of the audio output, as in `AudioBlock.position`.
  public var frame: Int64
  /// The step's number in the music: 0 at the start of bar 1, then 1, 2 and so on.
  public var index: Int64
  /// The index of the pattern that was played.
  public var pattern: Int
  /// The step's index in the pattern.
  public var step: Int
}

/// The steps that a drum machine has played: the last step, and a callback for each step.
///
/// - Thread: any; see each member.
public final class DrumTicks: Sendable {
  private let queue = MoQueue<DrumTick>(capacity: 1024)
  private let latest = LatestValue<DrumTick?>(nil)
  private let callbacks = CallbackList<DrumTick>()
  private let isPumped = Locked(false)

  init() {}

  /// The last step that was played; nil before the first.
  public var last: DrumTick? { latest.load() }

  /// Adds a callback that receives all played steps in order; MoMu calls it on the thread `mo-input`.
  ///
  /// The callback is called up to 20 ms after the step was passed to the sound card, usually before the step is
  /// heard. `tick.time` is the exact time at which the step is heard.
  ///
  /// - Throws: an error if the thread `mo-input` cannot be started.
  public func addCallback(_ body: @escaping @Sendable (DrumTick) -> Void) throws -> MoToken {
    let token = callbacks.add(body)
    try isPumped.withLock { isPumped in
      guard !isPumped else { return }
      // Discard the steps from before the first callback.
      while queue.pop() != nil {}
      let run = Run.current
      let pump = TickPump(from: run.clock.now) { [weak self] in
        self?.deliver()
        return self != nil
      }
      try run.input.add(pump) { _ in }
      isPumped = true
    }
    return token
  }

  /// Adds a step to the queue for the callbacks, and stores it as the last step; called by the audio thread.
  func played(_ tick: DrumTick) {
    queue.push(tick)
    latest.store(tick)
  }

  /// Calls the callbacks with the queued steps; call this method on one thread at a time.
  func deliver() {
    while let tick = queue.pop() { callbacks.call(tick) }
  }
}

/// An event source that, fifty times per second, calls the callbacks of a `DrumTicks` with the queued steps.
///
/// The source works in real time and offline, and removes itself after the `DrumTicks` has been released.
package final class TickPump: EventTimer {
  package let name = "drum ticks"
  package private(set) var nextTime: HostTime?
  private let deliver: @Sendable () -> Bool

  /// - Parameter deliver: passes the queued steps to the callbacks; returns false after the `DrumTicks` has been
  ///   released.
  package init(from now: HostTime, _ deliver: @escaping @Sendable () -> Bool) {
    nextTime = now
    self.deliver = deliver
  }

  package func service(until now: HostTime) {
    guard deliver() else {
      nextTime = nil
      return Run.current.input.remove(self)
    }
    nextTime = now.advanced(bySeconds: 0.02)
  }
}
