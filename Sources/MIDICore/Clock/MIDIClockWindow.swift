import MoCore

/// The last clocks, numbered with those that were lost, and the line through their times.
struct MIDIClockWindow: Sendable {
  private static let capacity = 288
  /// The most clocks that are all numbered anew with each new clock.
  private static let young = 48
  /// The number of last clocks in which a change of tempo is looked for.
  private static let recent = 4...14
  /// How many clocks the line needs before a change is looked for.
  private static let steady = 24
  /// By how many variances a bend fits better before the tempo has changed.
  private static let surprise = 22.0
  /// In intervals: how late a clock is before one was lost.
  ///
  /// With 1 % lost and 3 ms jitter at 120 that is as likely as
  /// that it is late.
  private static let lateness = 0.6

  /// Twice the negative logarithm of a clock's chance to be lost, 1 %.
  private static let lossCost = 9.2
  /// The jitter that is expected: 3 ms, squared.
  private static let variance = 9e-6

  private struct Tick: Sendable, BitwiseCopyable {
    var number = 0
    /// Seconds since `base`.
    var time = 0.0
  }

  private var ticks = InlineArray<288, Tick>(repeating: Tick())
  private var count = 0
  private var base = HostTime.zero
  private var line = (time: 0.0, interval: 0.0)
  private(set) var deviation = 0.0
  /// How many last clocks have another tempo; nil for none.
  private var bend: Int?
  private(set) var lost = 0
  /// By how much the marked clock's number changed with the last clock.
  private(set) var shift = 0
  /// Which tick of the window is marked; nil if it has left the window.
  private var marked: Int?

  /// The newest clock's number.
  private(set) var last = 0
  private(set) var newest: HostTime?

  /// Seconds from clock to clock; nil before the fourth.
  var interval: Double? { count >= 4 ? line.interval : nil }

  /// The clock's number, with its fraction, at a moment; nil before the fourth clock.
  func clock(at time: HostTime) -> Double? {
    guard count >= 4 else { return nil }
    return Double(last) + (time.seconds(since: base) - line.time) / line.interval
  }

  /// Marks the newest clock: `shift` tells of changes of its number.
  mutating func mark() { (marked, shift) = (count - 1, 0) }

  /// Takes a clock; its number.
  mutating func add(_ moment: HostTime) -> Int {
    shift = 0
    if count == 0 { base = moment }
    let gap = newest.map { moment.seconds(since: $0) } ?? 0
    newest = moment
    let time = moment.seconds(since: base)
    if count >= 4, gap > 4 {
      // Too long a silence to go on with the line; the number goes on.
      let number = last + max(1, Int((gap / line.interval).rounded()))
      keep(0)
      return append(number, time)
    }
    let number = count < 2 ? last + 1 : last + step(time, from: line)
    lost += max(0, number - last - 1)
    _ = append(number, time)
    if count <= Self.young { renumber() }
    fit()
    if let bend {
      // Up to its first clock none was lost: what was counted as lost was the change.
      let first = count - bend
      ticks[first].number = ticks[first - 1].number + 1
      keep(bend)
      renumber()
      fit()
    }
    return last
  }

  private mutating func append(_ number: Int, _ time: Double) -> Int {
    if count == Self.capacity { keep(Self.capacity - Self.capacity / 8) }
    ticks[count] = Tick(number: number, time: time)
    count += 1
    last = number
    return number
  }

  /// Forgets all clocks but the last ones.
  private mutating func keep(_ kept: Int) {
    let gone = count - kept
    for index in 0..<kept { ticks[index] = ticks[index + gone] }
    marked = marked.flatMap { $0 >= gone ? $0 - gone : nil }
    count = kept
  }

  /// How many clocks after the one before a time is, by a line whose time is that of the one before.
  private func step(_ time: Double, from line: (time: Double, interval: Double)) -> Int {
    let late = (time - line.time) / line.interval - 1
    return late < Self.lateness ? 1 : 1 + max(1, Int(late.rounded()))
  }

  /// Numbers all clocks of the window from its first one on.
  ///
  /// It tries the median interval, the mean one, and the mean one with a lost clock, and takes what explains the times
  /// best: a lost clock makes a numbering a hundred times less likely.
  private mutating func renumber() {
    guard count >= 3 else { return }
    let before = marked.map { ticks[$0].number }
    let mean = (ticks[count - 1].time - ticks[0].time) / Double(count - 1)
    var (best, least) = (mean, Double.infinity)
    for interval in [medianInterval(), mean, mean * Double(count - 1) / Double(count)] {
      let cost = number(by: interval)
      if cost < least { (best, least) = (interval, cost) }
    }
    _ = number(by: best)
    last = ticks[count - 1].number
    if let marked, let before { shift = ticks[marked].number - before }
  }

  private func medianInterval() -> Double {
    let ticks = ticks.span
    var intervals = InlineArray<64, Double>(repeating: 0)
    let size = min(count, 64) - 1
    for index in 0..<size {
      let interval = ticks[index + 1].time - ticks[index].time
      var place = index
      while place > 0, intervals[place - 1] > interval {
        intervals[place] = intervals[place - 1]
        place -= 1
      }
      intervals[place] = interval
    }
    return max(intervals[size / 2], 1e-4)
  }

  /// Numbers all clocks with an interval to begin with, then twice by the line through all of them.
  ///
  /// - Returns: how unlikely the numbering is, as twice a negative logarithm.
  private mutating func number(by interval: Double) -> Double {
    let (number, time) = (ticks[0].number, ticks[0].time)
    var early = 0.0
    for index in 1..<count {
      // Where the last clocks put this one.
      let first = max(0, index - 8)
      early = 0
      for before in first..<index {
        early += ticks[before].time - interval * Double(ticks[before].number - ticks[index - 1].number)
      }
      let line = (early / Double(index - first), interval)
      ticks[index].number = ticks[index - 1].number + step(ticks[index].time, from: line)
    }
    var sums = self.sums(number, time)
    for _ in 0..<2 {
      let line = sums.line(at: 0)
      for index in 1..<count {
        let place = (ticks[index].time - time - line.time) / max(line.interval, 1e-4)
        let late = place - Double(ticks[index - 1].number - number) - 1
        ticks[index].number =
          ticks[index - 1].number + (late < Self.lateness ? 1 : 1 + max(1, Int(min(late, 1e4).rounded())))
      }
      sums = self.sums(number, time)
    }
    let losses = ticks[count - 1].number - number - (count - 1)
    return Double(count) * sums.deviation * sums.deviation / Self.variance + Self.lossCost * Double(losses)
  }

  private func sums(_ number: Int, _ time: Double) -> Sums {
    var sums = Sums()
    for index in 0..<count { sums.add(ticks[index].number - number, ticks[index].time - time) }
    return sums
  }

  /// Draws the line through all clocks, and looks for a bend in the last ones.
  private mutating func fit() {
    let ticks = ticks.span
    var sums = Sums()
    let (number, time) = (ticks[0].number, ticks[0].time)
    bend = nil
    var best = Self.surprise
    for index in 0..<count {
      let rest = count - index
      if index >= Self.steady, Self.recent.contains(rest) {
        let found = gain(from: index, sums)
        if found > best { (best, bend) = (found, rest) }
      }
      sums.add(ticks[index].number - number, ticks[index].time - time)
    }
    let fit = sums.line(at: last - number)
    line = (fit.time + time, max(fit.interval, 1e-4))
    deviation = sums.deviation
  }

  /// By how many variances the clocks from one on are better explained by another tempo, with no clock lost, than by the
  /// line through those before and the clocks that were counted as lost.
  private func gain(from start: Int, _ sums: Sums) -> Double {
    let ticks = ticks.span
    let (number, time) = (ticks[0].number, ticks[0].time)
    let line = sums.line(at: ticks[start - 1].number - number)
    var (squares, plain, product, steps) = (0.0, 0.0, 0.0, 0.0)
    for index in start..<count {
      let step = Double(index - start + 1)
      let passed = ticks[index].time - time - line.time
      let counted = passed - line.interval * Double(ticks[index].number - ticks[start - 1].number)
      let unbroken = passed - line.interval * step
      squares += counted * counted
      plain += unbroken * unbroken
      product += step * unbroken
      steps += step * step
    }
    let variance = max(sums.deviation, 0.0003) * max(sums.deviation, 0.0003)
    // The line's own error at its end is four variances over its length.
    let slack = 1 + 4 * Double(count - start) / Double(start)
    let losses = Double(last - ticks[start - 1].number - (count - start))
    return ((squares - (plain - product * product / steps)) / variance + Self.lossCost * losses) / slack
  }

  /// What a line of least squares needs to know.
  private struct Sums {
    private var (count, x, y, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    mutating func add(_ number: Int, _ time: Double) {
      let number = Double(number)
      count += 1
      x += number
      y += time
      xx += number * number
      xy += number * time
      yy += time * time
    }

    private var spread: Double { xx - x * x / max(count, 1) }
    private var slope: Double { spread > 1e-9 ? (xy - x * y / count) / spread : 0.02 }

    /// The line's time at a number, and its interval.
    func line(at number: Int) -> (time: Double, interval: Double) {
      let slope = slope
      return ((y - slope * x) / max(count, 1) + slope * Double(number), slope)
    }

    /// How far times are from the line, as a root mean square.
    var deviation: Double {
      let slope = slope
      return (max(0, yy - y * y / max(count, 1) - slope * slope * spread) / max(1, count - 2)).squareRoot()
    }
  }
}
