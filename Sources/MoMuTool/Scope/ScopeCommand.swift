import ArgumentParser
import MoRig
import MoSensing

/// `momu scope`: what sensors say, as curves.
struct ScopeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scope", abstract: "Show sensors or a tape as curves, in the terminal or as a PNG file.",
    discussion: """
      A SOURCE is a sensor (\(RigKind.allCases.map(\.rawValue).joined(separator: ", "))), the best that is there or, \
      behind =, the one that is named: accel, gyro=iio:0, touch=evdev:/dev/input/event5. serial:PATH, iio:N and \
      evdev:PATH alone show all their channels; sim:NAME is a simulated player. They move until Ctrl-C; a device that \
      is not there is waited for. tape:FILE is a whole tape, drawn at once; accel=tape:FILE plays it.
      """)

  @Option(help: ArgumentHelp("Draw into a PNG file.", valueName: "FILE"))
  var png: String?

  @Option(help: ArgumentHelp("Stop after so many seconds.", valueName: "N"), transform: readSeconds)
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "How many seconds are seen, 0.1 to 3600; 10 if not said, or with --png all.", valueName: "N"),
    transform: readWindow)
  var window: Double?

  @Option(
    help: ArgumentHelp(
      "The picture's size: columns and rows, such as 80x24; with --png pixels, such as 1200x400.",
      valueName: "WxH"),
    transform: PictureSize.init(typed:))
  var size: PictureSize?

  @Argument(help: ArgumentHelp("What to look at.", valueName: "SOURCE"))
  var sources: [String]

  func validate() throws {
    if png != nil, let size, size.width < 300 || size.height < 150 {
      throw ValidationError("a PNG file is 300x150 pixels at least")
    }
    if png == nil, let size, size.width < 20 || size.height < 4 {
      throw ValidationError("a picture of letters is 20x4 at least")
    }
  }

  func run() throws {
    let wanted = try sources.map { try ScopeSource($0) }
    if let png { try PlotPicture.checkPlace(png) }
    let width = size?.width ?? 1200
    let columns = png == nil ? nil : PlotPicture.columns(width: width)
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
        sensors: sensors, window: window ?? (png == nil ? 10 : min(seconds ?? 10, 3600)), seconds: seconds,
        size: size)
      plot = try session.run(columns: columns)
    }
    guard !plot.panes.isEmpty else { throw ToolError.nothingSeen }
    guard let png else {
      show(TerminalPlot.own(size).picture(plot))
      return
    }
    let height = size?.height ?? 60 + 260 * plot.panes.count
    try PlotPicture.save(PlotPicture.file(plot, width: width, height: height), as: png)
    complain("\(png): \(width) × \(height) pixels")
  }
}

@Sendable
private func readWindow(_ text: String) throws -> Double {
  guard let seconds = Double(text), (0.1...3600).contains(seconds) else {
    throw ValidationError("it is a number of seconds from 0.1 to 3600")
  }
  return seconds
}
