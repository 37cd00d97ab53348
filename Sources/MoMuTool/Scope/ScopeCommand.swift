import ArgumentParser
import MoRig
import MoSensing

/// `momu scope`: draws the readings of sensors as curves.
struct ScopeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scope", abstract: "Draw sensors or a tape in the terminal or to an SVG file.",
    discussion: """
      A SOURCE is a kind of sensor: \(RigKind.allCases.map(\.rawValue).joined(separator: ", ")). MoMu chooses the best \
      device, or the one that you name after =: gyro=iio:0, touch=evdev:/dev/input/event5. serial:PATH, iio:N and \
      evdev:PATH alone show all their channels. sim:NAME is a simulated player. The curves move until Ctrl-C. If a \
      device is missing, MoMu waits for it. tape:FILE draws a whole tape immediately; accel=tape:FILE plays it.
      """)

  @Option(help: ArgumentHelp("Draw to an SVG file.", valueName: "FILE"))
  var svg: String?

  @Option(help: ArgumentHelp("Stop after this many seconds.", valueName: "SECONDS"), transform: readSeconds)
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
      let sensors = try wanted.map { source -> (kind: RigKind, source: String?) in
        switch source {
        case .tape(let path): throw ToolError.tapeAlone(path: path)
        case .sensor(let kind, let source): (kind, source)
        }
      }
      let session = ScopeSession(
        sensors: sensors, window: window ?? (svg == nil ? 10 : min(seconds ?? 10, 3600)), seconds: seconds,
        size: size)
      plot = try session.run(columns: columns)
    }
    guard !plot.panes.isEmpty else { throw ToolError.nothingSeen }
    guard let svg else {
      show(TerminalPlot.own(size).picture(plot))
      return
    }
    let height = size?.height ?? 60 + 260 * plot.panes.count
    try PlotPicture.save(PlotPicture.file(plot, width: width, height: height), as: svg)
    complain("\(svg): \(width) × \(height) pixels")
  }
}

@Sendable
private func readWindow(_ text: String) throws -> Double {
  guard let seconds = Double(text), (0.1...3600).contains(seconds) else {
    throw ValidationError("must be 0.1 to 3600 seconds")
  }
  return seconds
}
