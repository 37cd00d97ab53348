import MoCore
import MoMu
import MoOSC

/// The pings that were sent, and their answers; if `isDrawn` is true, each answer is drawn as a bar at the terminal.
///
/// - Thread: any.
final class PingBoard: Sendable {
  /// The timeout for an answer.
  static let timeout = Duration.seconds(1)

  private struct State {
    var statistics = PingStatistics()
    /// The time at which each ping was sent; nil as soon as the ping is answered.
    var open: [HostTime?] = []
    /// The index of the first ping that may still be answered in time.
    ///
    /// The earlier pings were answered, or were drawn as lost.
    var settled = 0
    var isRefused = false
  }

  private let isDrawn: Bool
  private let state = Locked(State())

  init(isDrawn: Bool) { self.isDrawn = isDrawn }

  var statistics: PingStatistics { state.withLock { $0.statistics } }
  var isComplete: Bool { state.withLock { $0.statistics.lost == 0 } }

  /// Whether the other machine reported that no program listens on the UDP port of the pings.
  var isRefused: Bool { state.withLock { $0.isRefused } }
  func refuse() { state.withLock { $0.isRefused = true } }

  /// Adds a ping that is sent now, and returns the values of its OSC message: the ping's index and `time`.
  func send(at time: HostTime) -> [OSCArgument] {
    state.withLock { state in
      drawLosses(&state, until: time)
      state.statistics.send()
      state.open.append(time)
      return [.int32(Int32(clamping: state.open.count - 1)), .int64(time.nanoseconds)]
    }
  }

  /// Processes the answer to a ping; unrequested and repeated answers are ignored.
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

  /// Draws the pings without an answer as lost, and then ends the line of bars.
  func finish() {
    state.withLock { state in
      drawLosses(&state, until: .distantFuture)
      if isDrawn { show("\n") }
    }
  }

  private func drawLosses(_ state: inout State, until time: HostTime) {
    while state.settled < state.open.count {
      if let sent = state.open[state.settled] {
        guard time == .distantFuture || time - sent > Self.timeout else { return }
        if isDrawn { show(String(PingPlot.loss)) }
      }
      state.settled += 1
    }
  }
}
