import MoCore

/// The last clocks, numbered so that lost ones count, and the line through their times.
struct MIDIClockWindow: Sendable {
  private static let capacity = 288
  /// The most clocks for which each new clock renumbers all.
  private static let young = 48
  /// The range of last clocks in which a tempo change is detected.
  private static let recent = 4...14
  /// The clocks that the line needs before a change is detected.
  private static let steady = 24
  /// The improvement of a bend, in variances, from which the tempo counts as changed.
  private static let surprise = 22.0
  /// The delay of a clock, in intervals, from which a clock counts as lost.
  ///
  /// With 1 % lost and 3 ms jitter at 120, a loss is then as likely as a late clock.
  private static let lateness = 0.6

  /// Twice the negative logarithm of the probability that a clock is lost, 1 %.
  private static let lossCost = 9.2
  /// The expected jitter: 3 ms, squared.
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
  /// The number of last clocks with another tempo; nil for none.
  private var bend: Int?
  private(set) var lost = 0
  /// The change of the marked clock's number by the last clock.
  private(set) var shift = 0
  /// The marked tick in the window; nil if it has left the window.
  private var marked: Int?

  /// The newest clock's number.
  private(set) var last = 0
  private(set) var newest: HostTime?

  /// Seconds between clocks; nil before the fourth.
  var interval: Double? { count >= 4 ? line.interval : nil }

  /// Returns the clock number, with its fraction, at a moment; nil before the fourth clock.
  func clock(at time: HostTime) -> Double? {
    guard count >= 4 else { return nil }
    return Double(last) + (time.seconds(since: base) - line.time) / line.interval
  }

  /// Marks the newest clock: `shift` then reports changes of its number.
  mutating func mark() { (marked, shift) = (count - 1, 0) }

  /// Adds a clock and returns its number.
  mutating func add(_ moment: HostTime) -> Int {
    shift = 0
    if count == 0 { base = moment }
    let gap = newest.map { moment.seconds(since: $0) } ?? 0
    newest = moment
    let time = moment.seconds(since: base)
    if count >= 4, gap > 4 {
      // After such a long silence the line is useless; the numbers continue.
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
      // None was lost before the first clock of the bend: the apparent losses were the tempo change.
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

  /// Removes all clocks except the last ones.
  private mutating func keep(_ kept: Int) {
    let gone = count - kept
    for index in 0..<kept { ticks[index] = ticks[index + gone] }
    marked = marked.flatMap { $0 >= gone ? $0 - gone : nil }
    count = kept
  }

  /// Returns the number of clocks between a time and the previous clock, whose time the line gives.
  private func step(_ time: Double, from line: (time: Double, interval: Double)) -> Int {
    let late = (time - line.time) / line.interval - 1
    return late < Self.lateness ? 1 : 1 + max(1, Int(late.rounded()))
  }

  /// Numbers all clocks of the window again, from the first on.
  ///
  /// It tries the median interval, the mean one, and the mean one with a lost clock. It uses the one that explains the
  /// times best: each lost clock makes a numbering a hundred times less likely.
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

  /// Numbers all clocks with an initial interval, then twice by the line through all of them.
  ///
  /// - Returns: the improbability of the numbering, as twice a negative logarithm.
  private mutating func number(by interval: Double) -> Double {
    let (number, time) = (ticks[0].number, ticks[0].time)
    var early = 0.0
    for index in 1..<count {
      // The time at which the last clocks predict this one.
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

  /// Fits the line through all clocks, and searches for a bend in the last ones.
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

  /// Returns the advantage of a tempo change at a clock over the line, in variances.
  ///
  /// A change assumes another tempo and no lost clocks from there on. The line continues the clocks before, with the
  /// clocks that were counted as lost.
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
    // The line's own error at its end is four variances divided by its length.
    let slack = 1 + 4 * Double(count - start) / Double(start)
    let losses = Double(last - ticks[start - 1].number - (count - start))
    return ((squares - (plain - product * product / steps)) / variance + Self.lossCost * losses) / slack
  }

  /// The sums for a line of least squares.
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

    /// Returns the line's time at a number, and its interval.
    func line(at number: Int) -> (time: Double, interval: Double) {
      let slope = slope
      return ((y - slope * x) / max(count, 1) + slope * Double(number), slope)
    }

    /// The root mean square of the distances from the line.
    var deviation: Double {
      let slope = slope
      return (max(0, yy - y * y / max(count, 1) - slope * slope * spread) / max(1, count - 2)).squareRoot()
    }
  }
}
