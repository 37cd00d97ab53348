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
