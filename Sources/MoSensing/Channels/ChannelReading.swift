import MoCore
import MoOSC

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
