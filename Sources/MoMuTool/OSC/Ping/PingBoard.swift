import MoCore
import MoMu
import MoOSC

/// Which pings are out, and which came back when.
///
/// - Thread: any.
final class PingBoard: Sendable {
  /// How long an answer is waited for.
  static let patience = Duration.seconds(1)

  private struct State {
    var statistics = PingStatistics()
    /// When each was sent; nil once it has been answered.
    var open: [HostTime?] = []
    /// Those before this one have been drawn as lost, or been answered.
    var settled = 0
    var isRefused = false
  }

  private let isDrawn: Bool
  private let state = Locked(State())

  init(isDrawn: Bool) { self.isDrawn = isDrawn }

  var statistics: PingStatistics { state.withLock { $0.statistics } }
  var isComplete: Bool { state.withLock { $0.statistics.lost == 0 } }

  /// Whether the other machine said that nobody listens there.
  var isRefused: Bool { state.withLock { $0.isRefused } }
  func refuse() { state.withLock { $0.isRefused = true } }

  /// Notes that a ping is sent; the values it takes along.
  func send(at time: HostTime) -> [OSCArgument] {
    state.withLock { state in
      drawLosses(&state, until: time)
      state.statistics.send()
      state.open.append(time)
      return [.int32(Int32(clamping: state.open.count - 1)), .int64(time.nanoseconds)]
    }
  }

  /// Notes an answer; one that was not asked for, or comes a second time, counts for nothing.
  func receive(_ values: [OSCArgument], at time: HostTime) {
    state.withLock { state in
      guard values.count == 2, case .int32(let number) = values[0], case .int64(let stamp) = values[1],
        let place = Int(exactly: number), state.open.indices.contains(place),
        let sent = state.open[place], sent.nanoseconds == stamp
      else { return }
      let isLate = place < state.settled
      state.open[place] = nil
      let seconds = max(0, time.seconds(since: sent))
      state.statistics.receive(seconds)
      if isDrawn && !isLate { show(String(PingPlot.bar(seconds))) }
    }
  }

  /// Ends the line of bars; what is still out is lost.
  func finish() {
    state.withLock { state in
      drawLosses(&state, until: .distantFuture)
      if isDrawn { show("\n") }
    }
  }

  private func drawLosses(_ state: inout State, until time: HostTime) {
    while state.settled < state.open.count {
      if let sent = state.open[state.settled] {
        guard time == .distantFuture || time - sent > Self.patience else { return }
        if isDrawn { show(String(PingPlot.loss)) }
      }
      state.settled += 1
    }
  }
}
