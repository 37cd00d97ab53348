/// A curve reduced to columns; a column holds the minimum, maximum, first and last of the values in its interval of
/// time.
///
/// So a month of readings fits into a picture, and no spike is lost.
struct Trace: Equatable {
  struct Column: Equatable {
    var least: Double
    var most: Double
    var first: Double
    var last: Double

    init(least: Double, most: Double, first: Double, last: Double) {
      (self.least, self.most, self.first, self.last) = (least, most, first, last)
    }

    /// Creates a column with a single value.
    init(_ value: Double) { (least, most, first, last) = (value, value, value, value) }

    /// Adds the values of a later column.
    mutating func add(_ later: Column) {
      (least, most, last) = (min(least, later.least), max(most, later.most), later.last)
    }
  }

  /// The time at the left side, in seconds.
  let from: Double
  /// The time at the right side, in seconds.
  let to: Double
  private(set) var columns: [Column?]
  /// The latest value; nil before the first value.
  private(set) var last: Double?

  init(from: Double, to: Double, columns count: Int) {
    self.from = from
    self.to = to
    columns = [Column?](repeating: nil, count: max(count, 1))
  }

  /// Adds the next value in the order of time; ignores NaN, infinity, and values whose time is not within `from` …
  /// `to`.
  mutating func add(_ value: Double, at seconds: Double) {
    guard value.isFinite else { return }
    add(Column(value), at: seconds)
  }

  /// Adds the next values in the order of time; ignores values whose time is not within `from` … `to`.
  mutating func add(_ values: Column, at seconds: Double) {
    guard seconds >= from, seconds <= to else { return }
    let part = to > from ? (seconds - from) / (to - from) : 0
    let place = min(Int((part * Double(columns.count - 1)).rounded()), columns.count - 1)
    if columns[place] == nil { columns[place] = values } else { columns[place]?.add(values) }
    last = values.last
  }

  /// The minimum and maximum of all values; nil without values.
  var range: ClosedRange<Double>? {
    let there = columns.compactMap { $0 }
    guard let least = there.map(\.least).min(), let most = there.map(\.most).max() else { return nil }
    return least...most
  }

  /// Draws the curve: calls `visit` with the column and the row of each point; row 0 is at the top.
  ///
  /// - Parameter row: returns the row of a value.
  func draw(row: (Double) -> Int, _ visit: (Int, Int) -> Void) {
    var before: (x: Int, y: Int)?
    for (place, column) in columns.enumerated() {
      guard let column else { continue }
      let first = (x: place, y: row(column.first))
      if let before { straightLine(from: before, to: first, visit) }
      straightLine(from: (place, row(column.least)), to: (place, row(column.most)), visit)
      before = (place, row(column.last))
    }
  }
}

/// Calls `visit` with each point of a straight line on a grid, from the start to the end.
///
/// - Source: J. E. Bresenham, *Algorithm for computer control of a digital plotter* (1965).
func straightLine(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ visit: (Int, Int) -> Void) {
  let (width, height) = (abs(end.x - start.x), -abs(end.y - start.y))
  let (right, down) = (start.x < end.x ? 1 : -1, start.y < end.y ? 1 : -1)
  var (x, y, error) = (start.x, start.y, width + height)
  while true {
    visit(x, y)
    if x == end.x, y == end.y { return }
    let twice = 2 * error
    if twice >= height {
      error += height
      x += right
    }
    if twice <= width {
      error += width
      y += down
    }
  }
}
