/// The channel that a sensor needs of a device with several channels, and how often the sensor needs it.
package struct ChannelNeed: Hashable, Sendable {
  /// The channel's name; nil for all channels of the device.
  package var channel: String?
  /// The number of readings per second that suffice; nil for the usual rate of the source.
  package var rate: Double?

  package init(channel: String? = nil, rate: Double? = nil) { (self.channel, self.rate) = (channel, rate) }
}
