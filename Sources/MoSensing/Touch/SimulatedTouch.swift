import Glibc
import MoCore
import MoRuntime

/// The simulated players of a touch screen: `sim:circle` and `sim:chord`.
enum SimulatedTouch: String, CaseIterable {
  /// A finger that draws two circles in three seconds, is lifted for one second, and begins again.
  case circle
  /// Three fingers that come down a tenth of a second apart, are lifted together a second after the first came down,
  /// and begin again half a second later.
  case chord

  static let row = SensorRow<Touch>(
    "sim", forms: ["sim:circle", "sim:chord"], worksOffline: true,
    devices: {
      [
        NamedDevice(name: "sim:circle", about: "a simulated finger that draws circles", isReal: false),
        NamedDevice(name: "sim:chord", about: "three simulated fingers", isReal: false),
      ]
    },
    open: { name, opening in
      SimulatedTouch(rawValue: name ?? "").map { OpenSource($0.source(opening)) }
    })

  func source(_ opening: SensorOpenContext<Touch>) -> any EventSource {
    SimulatedSource(rawValue, start: opening.run.clock.now, deliver: opening.deliver) { touches(at: $0, $1) }
  }

  /// Returns the changes of touches at a time in seconds after the start of the simulation, a multiple of 0.01 s.
  func touches(at seconds: Double, _ time: HostTime) -> [Touch] {
    let tick = Int((seconds * 100).rounded())
    switch self {
    case .circle:
      let (round, step) = (tick / 400, tick % 400)
      guard step <= 300 else { return [] }
      let angle = 2 * Double.pi * Double(step) / 150
      return [
        Touch(
          time: time, id: Int32(round + 1), phase: step == 0 ? .began : step == 300 ? .ended : .moved,
          x: Float(0.5 + 0.4 * cos(angle)), y: Float(0.5 + 0.4 * sin(angle)), pressure: 0.5)
      ]
    case .chord:
      let (round, step) = (tick / 150, tick % 150)
      let places: [Float] = [0.2, 0.5, 0.8]
      return (0..<3).compactMap { finger -> Touch? in
        guard step == finger * 10 || step == 100 else { return nil }
        let isOver = step == 100
        return Touch(
          time: time, id: Int32(round * 3 + finger + 1), phase: isOver ? .ended : .began, x: places[finger],
          y: 0.5, pressure: 0.5, hasMore: isOver && finger < 2)
      }
    }
  }
}
