import MoCore
import MoMu
import Synchronization

/// A step that was played.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct DrumTick: Hashable, Sendable, BitwiseCopyable {
  /// When it reaches the ear.
  public var time: HostTime
  /// The frame it begins at, as `AudioBlock.position` counts.
  public var frame: Int64
  /// Its number since the first bar's line.
  public var index: Int64
  /// Its pattern.
  public var pattern: Int
  /// Its step in the pattern.
  public var step: Int
}

/// The steps that a drum machine plays, told to whoever wants to know.
///
/// - Thread: any; see each.
public final class DrumTicks: Sendable {
  private let queue = MoQueue<DrumTick>(capacity: 1024)
  private let latest = LatestValue<DrumTick?>(nil)
  private let callbacks = CallbackList<DrumTick>()
  private let isPumped = Locked(false)

  init() {}

  /// The step that was played last; nil before the first.
  public var last: DrumTick? { latest.load() }

  /// Calls back for every step, in order, on the thread of the inputs: up to 20 ms after the step was handed to the
  /// card, most often before it is heard.
  ///
  /// `tick.time` says exactly when that is.
  ///
  /// - Throws: where the thread cannot be had.
  public func addCallback(_ body: @escaping @Sendable (DrumTick) -> Void) throws -> MoToken {
    let token = callbacks.add(body)
    try isPumped.withLock { isPumped in
      guard !isPumped else { return }
      // What was played before anybody asked is nobody's.
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

  /// Called by the audio thread.
  func played(_ tick: DrumTick) {
    queue.push(tick)
    latest.store(tick)
  }

  /// Hands what was played to the callbacks; one thread at a time.
  func deliver() {
    while let tick = queue.pop() { callbacks.call(tick) }
  }
}

/// Looks for ticks fifty times a second, in real time and offline, for as long as somebody may play some.
final class TickPump: EventSource {
  let name = "drum ticks"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let look: @Sendable () -> Bool

  /// - Parameter look: hands on what there is; false once there will be nothing.
  init(from now: HostTime, _ look: @escaping @Sendable () -> Bool) {
    nextTime = now
    self.look = look
  }

  func service(until now: HostTime) {
    guard look() else {
      nextTime = nil
      return Run.current.input.remove(self)
    }
    nextTime = now.advanced(bySeconds: 0.02)
  }
}
