import Glibc

/// A simulated network: the one-way delay of its packets, and their loss.
package struct SimulatedNetwork: Hashable, Sendable {
  /// The least delay of a packet, in seconds.
  package var floor: Double
  /// The median of the delay beyond `floor`, in seconds; this part of the delay is log-normal.
  package var queue: Double
  /// The spread of the delay beyond `floor`: the standard deviation of its natural logarithm.
  package var spread: Double
  /// The share of packets that are lost, 0…1.
  package var loss: Double
  /// The average number of packets lost in a row; 1 for independent losses.
  package var burst: Double
  /// The greatest delay of a packet, in seconds.
  package var longest = Double.infinity
  /// The share of packets that arrive twice, 0…1.
  package var duplication: Double = 0
  /// Whether a packet may overtake an earlier packet from the same sender to the same receiver.
  package var reorders = false
  /// The interval at which the access point sends multicasts, in seconds; 0 if it sends each multicast immediately.
  package var multicastInterval: Double = 0
  /// Whether the network carries multicast at all; some access points drop multicast.
  package var carriesMulticast = true

  /// The number of Wi-Fi frames that the radio channel carries per second, to and from the access point; 0 for no
  /// limit.
  ///
  /// A datagram for one member takes two frames: one to the access point, and one from the access point. A multicast
  /// takes one frame to the access point, and a longer frame from the access point, since an access point sends
  /// multicast at a low rate.
  package var framesPerSecond: Double = 0
  /// The largest number of Wi-Fi frames that wait for the radio channel; further frames are dropped.
  package var mostFrames: Double = 500
  /// The rate at which the access point sends multicast, in bits per second; the default is the lowest of 5 GHz Wi-Fi.
  package var multicastRate: Double = 6e6

  /// Creates a network from its parts.
  package init(floor: Double, queue: Double, spread: Double, loss: Double = 0, burst: Double = 1) {
    (self.floor, self.queue, self.spread, self.loss, self.burst) = (floor, queue, spread, loss, burst)
  }

  /// A wired network with a switch: the round trip is 0.3 ms in the median.
  package static let wire = SimulatedNetwork(floor: 0.000_13, queue: 0.000_02, spread: 0.4)

  /// Good Wi-Fi: the round trip is 3.9 ms in the median, above 5.5 ms in one of 20 cases, above 7.9 ms in one of 100.
  package static let goodWiFi = SimulatedNetwork(
    floor: 0.001_801, queue: 0.000_104_6, spread: 1.4186, loss: 0.002, burst: 1)

  /// Bad Wi-Fi: losses in bursts, and multicast that the access point delays for sleeping stations.
  ///
  /// The round trip is 10.4 ms in the median, above 34 ms in one of 20 cases, and above 78 ms in one of 100.
  package static let badWiFi: SimulatedNetwork = {
    var network = SimulatedNetwork(floor: 0.003_74, queue: 0.000_923_8, spread: 1.6682, loss: 0.03, burst: 4)
    network.multicastInterval = 0.102_4
    return network
  }()

  /// Returns the same network with an access point that carries the given number of frames per second.
  package func limited(toFramesPerSecond frames: Double) -> SimulatedNetwork {
    var network = self
    network.framesPerSecond = frames
    return network
  }

  /// Returns the one-way delay of a packet in seconds, computed from a standard normal random number.
  func delay(normal: Double) -> Double { min(longest, floor + queue * exp(spread * normal)) }
}

/// A repeatable random generator: SplitMix64.
///
/// - Source: G. Steele, D. Lea, C. Flood, *Fast splittable pseudorandom number generators*, OOPSLA (2014).
package struct SimulatedChance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to below 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a standard normal number (Box and Muller, 1958).
  package mutating func normal() -> Double {
    (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
  }
}
