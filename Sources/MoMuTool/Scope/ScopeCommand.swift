import ArgumentParser
import MoCore
import MoOSC
import MoRuntime
import MoSensing

/// `momu scope`: draws the readings of sensors as curves.
struct ScopeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scope", abstract: "Draw sensors or a tape in the terminal or to an SVG file.",
    discussion: """
      A SOURCE is a kind of sensor: \(AnySensorKind.all.map(\.name).joined(separator: ", ")). MoMu chooses the best \
      device, or the one that you name after =: gyro=iio:0, touch=evdev:/dev/input/event5. serial:PATH, iio:N and \
      evdev:PATH alone show all their channels. sim:NAME is a simulated player. The curves move until Ctrl-C. If a \
      device is missing, MoMu waits for it. tape:FILE draws a whole tape immediately; accel=tape:FILE plays it.
      """)

  @Option(help: ArgumentHelp("Draw to an SVG file.", valueName: "FILE"))
  var svg: String?

  @Option(help: .shared("seconds"), transform: readSeconds)
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Visible time, 0.1 to 3600 (default 10; with --svg, all).", valueName: "SECONDS"),
    transform: readWindow)
  var window: Double?

  @Option(
    help: ArgumentHelp(
      "Size in columns x rows, or with --svg in pixels.",
      valueName: "WxH"),
    transform: PictureSize.init(typed:))
  var size: PictureSize?

  @Argument(help: ArgumentHelp("The sensors or the tape to draw.", valueName: "SOURCE"))
  var sources: [String]

  func validate() throws {
    if svg != nil, let size, size.width < 300 || size.height < 150 {
      throw ValidationError("--size must be 300x150 pixels or more with --svg")
    }
    if svg == nil, let size, size.width < 20 || size.height < 4 {
      throw ValidationError("--size must be 20x4 columns and rows or more")
    }
  }

  func run() throws {
    let wanted = try sources.map { try ScopeSource($0) }
    if let svg { try PlotPicture.checkPlace(svg) }
    let width = size?.width ?? 1200
    let columns = svg == nil ? nil : PlotPicture.columns(width: width)
    let plot: Plot
    if case .tape(let path)? = wanted.first {
      guard wanted.count == 1, seconds == nil, window == nil else { throw ToolError.tapeAlone(path: path) }
      plot = try ScopeTape.plot(path, columns: columns ?? TerminalPlot.own(size).traceColumns)
    } else {
      let sensors = try wanted.map { source -> (kind: AnySensorKind, source: String?) in
        switch source {
        case .tape(let path): throw ToolError.tapeAlone(path: path)
        case .sensor(let kind, let source): (kind, source)
        }
      }
      let session = ScopeSession(
        sensors: sensors, window: window ?? (svg == nil ? 10 : seconds ?? 10), seconds: seconds, size: size)
      plot = try session.run(columns: columns)
    }
    guard !plot.panes.isEmpty else { throw ToolError.nothingSeen }
    guard let svg else {
      show(TerminalPlot.own(size).picture(plot))
      return
    }
    let picture = PlotPicture.file(plot, width: width, height: size?.height)
    try PlotPicture.save(picture.text, as: svg)
    let reason = size.map { $0.height < picture.height } == true ? ", the least height for its panes" : ""
    printDiagnostic("\(svg): \(width) × \(picture.height) pixels\(reason)")
  }
}

@Sendable
private func readWindow(_ text: String) throws -> Double {
  guard let seconds = Double(text), (0.1...3600).contains(seconds) else {
    throw ValidationError("must be 0.1 to 3600 seconds")
  }
  return seconds
}

/// The size of a picture, typed as two whole numbers such as `80x24`: in columns and rows, or for SVG in pixels.
struct PictureSize: Equatable {
  var width: Int
  var height: Int

  /// - Throws: `ValidationError` if the text is not a size.
  @Sendable
  init(typed text: String) throws {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (1...8192).contains(width),
      (1...8192).contains(height)
    else { throw ValidationError("must be a width and a height up to 8192, such as 80x24") }
    (self.width, self.height) = (width, height)
  }
}

/// A source of curves, as typed: `accel`, `gyro=iio:0`, `serial:/dev/ttyACM0`, `tape:FILE`.
enum ScopeSource: Equatable {
  /// The path of a tape, which is drawn as a whole and immediately.
  case tape(String)
  /// A kind of sensor and its source, such as `iio:0`; the source is nil for the best available device.
  case sensor(AnySensorKind, String?)

  /// - Throws: `ToolError.noSource`, `SensorError`.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    if let kind = AnySensorKind.all.first(where: { $0.name == parts[0] }) {
      let source = parts.count == 2 ? parts[1] : nil
      if let source { try kind.check(source) }
      if source == nil, let choices = kind.choices {
        throw ToolError.noSource(text, nearest: "\(kind.name)=\(choices.prefix { $0 != "," })")
      }
      self = .sensor(kind, source)
      return
    }
    let scheme = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    switch scheme[0] {
    case "tape" where scheme.count == 2 && !scheme[1].isEmpty: self = .tape(scheme[1])
    case "serial", "iio", "evdev": self = .sensor(AnySensorKind(.channels), text)
    // A simulated player belongs to the first kind of sensor that has it.
    case "sim":
      guard let kind = AnySensorKind.all.first(where: { $0.devices().contains { $0.name == text } }) else {
        let players = AnySensorKind.all.flatMap { $0.devices().map(\.name) }.filter { $0.hasPrefix("sim:") }
        throw ToolError.noSource(text, nearest: Spelling.nearest(to: text, among: players))
      }
      self = .sensor(kind, text)
    default:
      let kinds = AnySensorKind.all.map(\.name)
      throw ToolError.noSource(text, nearest: Spelling.nearest(to: parts[0], among: kinds))
    }
  }
}

/// A plot of a whole tape of any length; the first pass finds the length of the tape, the second pass reads the curves.
enum ScopeTape {
  /// Returns the plot of the tape at `path`.
  ///
  /// - Parameter columns: the number of columns of each curve.
  /// - Throws: `OSCTapeError`, `ToolError`.
  static func plot(_ path: String, columns: Int) throws -> Plot {
    let tape = try openTape(path)
    var length: Int64 = 0
    while let reading = try tape.next() { length = max(length, reading.nanoseconds) }
    if let warning = tape.warning { printDiagnostic(warning) }
    try tape.rewind()
    let seconds = Double(length) * 1e-9
    var curves = CurvePanes<Trace>()
    var left = 0
    while let reading = try tape.next() {
      for value in ScopeValues.of(reading.message.address, reading.message.arguments) {
        let isTaken = curves.add(
          value, title: value.pane, own: Trace(from: 0, to: seconds, columns: columns)
        ) { $0.add(value.value, at: Double(reading.nanoseconds) * 1e-9) }
        if !isTaken { left += 1 }
      }
    }
    if left > 0 {
      printDiagnostic("\(path) has too many curves to draw: \(counted(left, "value")) left out")
    }
    let plot = curves.plot(from: 0, to: seconds) { $0 }
    guard !plot.panes.isEmpty else { throw ToolError.nothingToDraw(path: path) }
    return plot
  }
}
