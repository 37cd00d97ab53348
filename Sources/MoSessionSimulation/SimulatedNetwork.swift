import Glibc

/// A network to rehearse on: how long a packet takes one way, and whether it comes at all.
package struct SimulatedNetwork: Hashable, Sendable {
  /// The least a packet takes, in seconds.
  package var floor: Double
  /// What it takes beyond that, in the middle case, in seconds; log-normal.
  package var queue: Double
  /// The spread of that: the standard deviation of its logarithm.
  package var spread: Double
  /// The share of packets that are lost, 0…1.
  package var loss: Double
  /// Packets lost in a row, on average; 1 for losses that have nothing to do with each other.
  package var burst: Double
  /// The most a packet takes, in seconds.
  package var longest = Double.infinity
  /// The share of packets that come twice, 0…1.
  package var duplication: Double = 0
  /// Whether a packet may overtake another of the same sender and receiver.
  package var reorders = false
  /// Multicast is held until the next multiple of this, in seconds; 0 for none.
  package var multicastGrid: Double = 0
  /// Whether what is for all is carried at all; some access points drop it.
  package var carriesMulticast = true

  /// Frames that the air carries in a second, both ways together; 0 for no limit.
  ///
  /// What is for one member takes two, to the access point and from it. What is for all takes one to it, and one from it
  /// that is as much longer as the slow rate makes it, since an access point sends multicast at a low rate.
  package var framesPerSecond: Double = 0
  /// Frames that wait for the air at most; more are dropped.
  package var mostFrames: Double = 500
  /// The rate at which the access point sends what is for all, in bits a second: the lowest of 5 GHz Wi-Fi.
  package var multicastRate: Double = 6e6

  /// A network from its parts.
  package init(floor: Double, queue: Double, spread: Double, loss: Double = 0, burst: Double = 1) {
    (self.floor, self.queue, self.spread, self.loss, self.burst) = (floor, queue, spread, loss, burst)
  }

  /// Cables and a switch: 0.3 ms there and back.
  package static let wire = SimulatedNetwork(floor: 0.000_13, queue: 0.000_02, spread: 0.4)

  /// Good Wi-Fi: there and back 3.9 ms in the middle, 5.5 in one of 20 cases, 7.9 in one of 100.
  package static let goodWiFi = SimulatedNetwork(
    floor: 0.001_801, queue: 0.000_104_6, spread: 1.4186, loss: 0.002, burst: 1)

  /// Bad Wi-Fi: 10.4, 34 and 78 ms, bursts of loss, multicast held for sleeping stations.
  package static let badWiFi: SimulatedNetwork = {
    var network = SimulatedNetwork(floor: 0.003_74, queue: 0.000_923_8, spread: 1.6682, loss: 0.03, burst: 4)
    network.multicastGrid = 0.102_4
    return network
  }()

  /// The same by an access point that carries so many frames in a second.
  package func limited(toFramesPerSecond frames: Double) -> SimulatedNetwork {
    var network = self
    network.framesPerSecond = frames
    return network
  }

  /// Seconds one packet takes one way, from a number between 0 and 1 and a standard normal one.
  func delay(normal: Double) -> Double { min(longest, floor + queue * exp(spread * normal)) }
}
