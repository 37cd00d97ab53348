import Glibc
import MoCore
import MoOSC
import MoRuntime

/// A value of a sensor's channel, such as the light or a knob, with its time.
package struct ChannelReading: SensorReading {
  /// The address on tapes and in the network, with `,sf`: the channel's name and its value.
  package static let address = "/momu/sensor"

  /// The value before the first measurement: 0 on a channel without a name.
  package static var initial: Self { Self(time: .zero, channel: ChannelName(""), value: 0) }

  // If readings were skipped, each channel would suppress the others.
  package static let canBeThinned = false

  package var time: HostTime
  package var channel: ChannelName
  package var value: Float

  package init(time: HostTime, channel: ChannelName, value: Float) {
    self.time = time
    self.channel = channel
    self.value = value
  }

  package init?(time: HostTime, arguments: [OSCArgument]) {
    guard arguments.count == 2, let name = arguments[0].text, let value = arguments[1].number else {
      return nil
    }
    guard Float(value).isFinite else { return nil }
    self.init(time: time, channel: ChannelName(name), value: Float(value))
  }

  package var arguments: [OSCArgument] { [.string(channel.text), .float(value)] }
}

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
