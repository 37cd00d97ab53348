import Glibc
import MoCore
import MoRuntime

extension ChannelReading {
  /// The row for simulated boards in the sensor's table of sources.
  ///
  /// Their channel `sim` is a slow wave between 0 and 1, or changes between 0 and 1 every second.
  static let players = SensorRow<ChannelReading>(
    "sim", forms: ["sim:wave", "sim:steps"], worksOffline: true,
    devices: {
      [
        NamedDevice(name: "sim:wave", about: "a slow wave, 0 to 1", isReal: false),
        NamedDevice(name: "sim:steps", about: "0 and 1 in turn", isReal: false),
      ]
    },
    open: { detail, opening in
      let channel = ChannelName("sim")
      let shape: @Sendable (Double) -> Float
      switch detail {
      case "wave": shape = { Float(0.5 - 0.5 * cos(2 * .pi * $0 / 10)) }
      case "steps": shape = { Int($0) % 2 == 0 ? 0 : 1 }
      default: return nil
      }
      return OpenSource(
        SimulatedSource(detail ?? "", start: opening.run.clock.now, rate: 50, deliver: opening.deliver) {
          seconds, time in
          [ChannelReading(time: time, channel: channel, value: shape(seconds))]
        })
    })
}
