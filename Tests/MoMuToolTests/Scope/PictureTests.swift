import MoOSC
import MoTesting
import Testing

@testable import MoMuTool

@Suite("momu scope's pictures")
struct PictureTests {
  @Test("ticks are steps of 1, 2 or 5 and cover the values")
  func axis() {
    let axis = Axis(covering: -0.93...1.12, ticks: 5)
    #expect(axis.step == 0.5 && axis.least == -1 && axis.most == 1.5)
    #expect(axis.ticks.map { axis.label($0) } == ["-1.0", "-0.5", "0.0", "0.5", "1.0", "1.5"])
    #expect(Axis(covering: 0...1, ticks: 2).ticks == [0, 0.5, 1])
    let flat = Axis(covering: 9.81...9.81, ticks: 4)
    #expect(flat.least < 9.81 && flat.most > 9.81)
    #expect(Axis(covering: 0...0, ticks: 4).ticks.contains(0))
    let large = Axis(covering: 0...2.5e9, ticks: 5)
    #expect(large.label(large.most) == "2.5e9")
    #expect(
      Axis(of: 0...12.3, ticks: 6).ticks.map { Axis(of: 0...12.3, ticks: 6).label($0) } == ["0", "5", "10"])
  }

  @Test("in any range, ticks are few, in order and within the range")
  func anyAxis() {
    var random = TestRandom(seed: 5)
    for _ in 0..<5000 {
      let scales: [Double] = [1e-9, 1e-3, 1, 1e3, 1e12]
      let scale = scales[Int.random(in: 0..<5, using: &random)]
      let low = Double.random(in: -1...1, using: &random) * scale
      let high = low + Double.random(in: 0...1, using: &random) * scale
      let wished = Int.random(in: 1...12, using: &random)
      let axis = Axis(covering: low...high, ticks: wished)
      #expect(axis.least <= low + scale * 1e-6 && axis.most >= high - scale * 1e-6)
      #expect(
        axis.ticks.count <= 2 * wished + 3 && axis.ticks == axis.ticks.sorted(), "\(low) \(high) \(wished)")
    }
  }

  @Test(
    "the largest and smallest floating-point numbers have an axis, and are on it",
    arguments: [
      (-1.7e308, 1.7e308), (1.7e308, 1.7e308), (0, .infinity), (-.infinity, .infinity),
      (.leastNonzeroMagnitude, 4 * .leastNonzeroMagnitude), (1e17, 1e17),
    ])
  func farthest(low: Double, high: Double) {
    let axis = Axis(covering: low...high, ticks: 5)
    #expect(axis.least.isFinite && axis.most.isFinite && axis.step > 0 && axis.ticks.count <= 1001)
    #expect((0...1).contains(axis.part(low)) && (0...1).contains(axis.part(high)))
    for tick in axis.ticks { #expect(!axis.label(tick).isEmpty) }
  }

  @Test("a column keeps the minimum and maximum, so that no spike is lost")
  func trace() {
    var trace = Trace(from: 0, to: 10, columns: 11)
    for n in 0..<1000 { trace.add(n == 500 ? 99 : 1, at: Double(n) / 100) }
    trace.add(.nan, at: 5)
    trace.add(7, at: 11)
    #expect(trace.columns[5] == Trace.Column(least: 1, most: 99, first: 1, last: 1))
    #expect(trace.range == 1...99 && trace.last == 1)
  }

  @Test(
    "a window keeps all its readings, also of an hour and more, and each spike", arguments: [3600.0, 86_400])
  func longWindow(window: Double) throws {
    var board = ScopeBoard()
    let count = 300_000
    let step = window / Double(count)
    for n in 0..<count {
      let value = ScopeValue(pane: "accel", unit: "g", line: "x", value: n == 1000 ? 99 : n == 1001 ? -99 : 1)
      board.add(value, of: "", at: Double(n) * step, window: window)
    }
    let plot = board.plot(until: window, window: window, columns: 101)
    let trace = try #require(plot.panes.first?.lines.first?.trace)
    #expect(trace.columns.dropLast().allSatisfy { $0 != nil })
    #expect(trace.columns[0] == Trace.Column(least: -99, most: 99, first: 1, last: 1))
    #expect(trace.range == -99...99)
  }

  @Test("values with the same unit share a pane, as do related channels and the numbers of other programs")
  func values() {
    #expect(
      ScopeValues.of("/momu/accel", [0.5, 0, 1]).map(\.line) == ["x", "y", "z"]
        && ScopeValues.of("/momu/accel", [0.5, 0, 1]).allSatisfy { $0.pane == "accel" && $0.unit == "g" })
    #expect(
      ScopeValues.of("/momu/sensor", ["acc/2", 0.25]) == [
        ScopeValue(pane: "acc", unit: "", line: "2", value: 0.25)
      ])
    #expect(ScopeValues.of("/momu/sensor", ["accel_x", 1.0]).first?.pane == "accel")
    #expect(ScopeValues.of("/momu/sensor", ["/knob", 1.0]).first?.pane == "/knob")
    #expect(ScopeValues.of("/momu/compass", [90.0, .float(.nan), 2.0]).map(\.line) == ["magnetic"])
    #expect(ScopeValues.of("/faders", [1, "x", 2.5, true]).map(\.value) == [1, 2.5, 1])
    #expect(ScopeValues.of("/momu/sender", ["10.0.0.1:9"]).isEmpty)
  }

  @Test("a ramp is a row of dots from the bottom left to the top right in windows of any size")
  func ramp() {
    for (columns, rows) in [(80, 23), (31, 9), (200, 60), (20, 4)] {
      let terminal = TerminalPlot(columns: columns, rows: rows)
      var trace = Trace(from: 0, to: 1, columns: terminal.traceColumns)
      for n in 0...2000 { trace.add(Double(n) / 2000, at: Double(n) / 2000) }
      let plot = Plot(
        panes: [Plot.Pane(title: "ramp", unit: "", lines: [Plot.Line(name: "x", trace: trace)])], from: 0,
        to: 1)
      let lines = terminal.picture(plot).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count <= rows && lines.allSatisfy { $0.count <= columns })
      let dots = DotPicture(lines.dropFirst().dropLast().map { String($0) }, margin: 10)
      for x in 0..<terminal.traceColumns {
        let wanted = (1 - Double(x) / Double(terminal.traceColumns - 1)) * Double(dots.height - 1)
        let found = dots.rows(column: x)
        #expect(
          !found.isEmpty
            && found.allSatisfy {
              abs(Double($0) - wanted) <= 1.01 + Double(dots.height) / Double(terminal.traceColumns)
            })
      }
    }
  }

  @Test("counts the panes that do not fit, and keeps the picture as high as the window")
  func manyPanes() {
    let panes = (0..<12).map { n -> Plot.Pane in
      var trace = Trace(from: 0, to: 1, columns: 100)
      trace.add(Double(n), at: 0.5)
      return Plot.Pane(title: "pane \(n)", unit: "m", lines: [Plot.Line(name: "x", trace: trace)])
    }
    let text = TerminalPlot(columns: 60, rows: 12).picture(Plot(panes: panes, from: 0, to: 1))
    #expect(text.split(separator: "\n").count <= 12)
    #expect(text.hasSuffix("and 9 more: make the window higher\n"))
    #expect(text.contains("pane 0 (m)  x 0"))
  }

  @Test("an SVG with many panes is as high as they need, also if a smaller height is given")
  func manyPanesInFile() {
    let panes = (0..<32).map { n -> Plot.Pane in
      var trace = Trace(from: 0, to: 1, columns: PlotPicture.columns(width: 300))
      trace.add(Double(n), at: 0.5)
      return Plot.Pane(title: "pane \(n)", unit: "m", lines: [Plot.Line(name: "x", trace: trace)])
    }
    for count in 1...32 {
      let plot = Plot(panes: Array(panes.prefix(count)), from: 0, to: 1)
      let (text, height) = PlotPicture.file(plot, width: 300, height: 150)
      #expect(height >= 150 && text.contains("height=\"\(height)\""))
      #expect((0..<count).allSatisfy { text.contains(">pane \($0) (m)<") }, "\(count)")
      #expect(PlotPicture.file(plot, width: 300, height: 4000).height == 4000)
    }
  }

  @Test(
    "fonts without Braille get other marks, and output without a terminal gets no colours"
  )
  func plain() {
    var trace = Trace(from: 0, to: 1, columns: 40)
    for n in 0...40 { trace.add(n < 20 ? 0 : 1, at: Double(n) / 40) }
    let plot = Plot(
      panes: [Plot.Pane(title: "step", unit: "", lines: [Plot.Line(name: "x", trace: trace)])], from: 0, to: 1
    )
    let text = TerminalPlot(columns: 30, rows: 8, hasBraille: false).picture(plot)
    #expect(text.unicodeScalars.allSatisfy { $0.value < 0x80 || $0 == "│" || $0 == "┤" })
    #expect(text.contains("'") && text.contains("."))
    #expect(!text.contains("\u{1B}"))
    #expect(TerminalPlot(columns: 30, rows: 8, isColoured: true).picture(plot).contains("\u{1B}[34m"))
  }
}

/// The dots of a Braille picture, in Unicode's order.
private struct DotPicture {
  private var dots: [[Bool]]
  var height: Int { dots.count }

  init(_ lines: [String], margin: Int) {
    dots = []
    let offsets: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    for line in lines {
      let letters = line.unicodeScalars.dropFirst(margin).map {
        (0x2800...0x28FF).contains($0.value) ? $0.value - 0x2800 : 0
      }
      for pair in offsets { dots.append(letters.flatMap { letter in pair.map { letter & $0 != 0 } }) }
    }
  }

  func rows(column: Int) -> [Int] { dots.indices.filter { column < dots[$0].count && dots[$0][column] } }
}
