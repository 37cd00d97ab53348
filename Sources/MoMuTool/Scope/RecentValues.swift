/// The latest values of a curve: the values of a time window that ends now, but at most 200,000.
struct RecentValues {
  private var times: [Double] = []
  private var values: [Double] = []
  /// The index of the window's first value; the values before this index are removed from time to time.
  private var begin = 0

  private static let most = 200_000

  /// The times, in seconds, and the values of the window, the oldest first.
  var recent: some Sequence<(Double, Double)> { zip(times[begin...], values[begin...]) }

  mutating func take(_ value: Double, at seconds: Double, window: Double) {
    times.append(seconds)
    values.append(value)
    while begin < times.count, times[begin] < seconds - window || times.count - begin > Self.most {
      begin += 1
    }
    guard begin > 4096, begin > times.count / 2 else { return }
    times.removeFirst(begin)
    values.removeFirst(begin)
    begin = 0
  }
}
