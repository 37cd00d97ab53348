import Glibc
import MoCore
import MoRuntime

/// A source that combines the magnetometer and the accelerometer into the heading of the device's top edge.
final class FusedCompass: EventTimer {
  let name = "fused"
  // Its readings come with the magnetometer's.
  let nextTime: HostTime? = nil

  /// Starts the accelerometer and the magnetometer, and opens the compass that combines both.
  ///
  /// - Throws: `SensorError` if one of the sensors cannot be read.
  static func open(
    _ opening: SensorOpenContext<Heading>, _ accel: AccelServer, _ magnet: CalibratedMagnet,
    ownsParts: Bool
  ) throws -> OpenSource {
    let state = Locked(CompassState())
    let (deliver, run) = (opening.deliver, opening.run)
    let tokens = [
      accel.callbacks.add { motion in
        state.withLock { $0.hold(SIMD3(motion.x, motion.y, motion.z), at: motion.time) }
      },
      accel.events.add { event in
        if case .lost = event { state.withLock { $0.letGo() } }
      },
      magnet.server.callbacks.add { field in
        let corrected = magnet.correct(field, in: run)
        if let heading = state.withLock({ $0.heading(for: corrected) }) { deliver(heading) }
      },
    ]
    let end: @Sendable () -> Void = {
      for token in tokens { token.cancel() }
      guard ownsParts else { return }
      for stop in [accel.stop, magnet.server.stop] { stop() }
    }
    do {
      try accel.start(source: nil, in: run)
      try magnet.server.start(source: nil, in: run)
    } catch {
      end()
      throw error
    }
    let input = magnet.server.sensorInput
    return OpenSource(
      FusedCompass(),
      close: {
        end()
        magnet.save()
      },
      // The readings come with the magnetometer's.
      hasDevice: { input.deviceName != nil },
      problem: { input.problem ?? accel.problem })
  }

  func service(until now: HostTime) {}
}

/// The state of a compass: the up direction.
package struct CompassState: Sendable {
  private var up = SIMD3<Double>(0, 0, 1)
  private var heldAt: HostTime?

  package init() {}

  /// The time constant with which the up direction follows the accelerometer, in seconds.
  ///
  /// A trembling hand therefore does not count as tilt.
  private static let tau = 0.2

  /// Adds an accelerometer reading, in g.
  package mutating func hold(_ acceleration: SIMD3<Float>, at time: HostTime) {
    let now = SIMD3<Double>(acceleration)
    let passed = heldAt.map { max(0, time.seconds(since: $0)) } ?? .infinity
    up += (now - up) * (1 - exp(-passed / Self.tau))
    heldAt = time
  }

  /// Handles the loss of the accelerometer: the last up direction is still used, and the accuracy becomes unknown.
  package mutating func letGo() { heldAt = nil }

  /// Returns the heading for a reading of the magnetometer.
  ///
  /// The result is nil if the up direction is unknown, or the field has almost no horizontal component.
  package func heading(for field: CorrectedField) -> Heading? {
    let earth = field.earth
    let weight = (up * up).sum()
    guard weight > 0.01 else { return nil }
    let north = earth - up * ((earth * up).sum() / weight)
    let level = (north * north).sum().squareRoot()
    guard level > 0.5 else { return nil }
    // East is north × up.
    let east = SIMD3(
      north.y * up.z - north.z * up.y, north.z * up.x - north.x * up.z, north.x * up.y - north.y * up.x)
    // The top edge is at the y axis.
    let heading = atan2(east.y / weight.squareRoot(), north.y)
    // Without an accelerometer, the horizontal plane is unknown.
    let doubt = heldAt == nil ? 180 : field.doubt.map { atan2($0, level) * 180 / .pi } ?? 180
    return Heading(
      time: field.time, magnetic: Float(heading * 180 / .pi), accuracy: Float(min(180, max(1, doubt))))
  }
}

/// The file that stores a device's own magnetic field between runs of the program:
/// `$XDG_STATE_HOME/momu/compass/DEVICE`.
package struct CompassFile: Sendable {
  private let path: String?

  /// - Parameter device: the magnetometer as options name it, such as `iio:0`; nothing is stored for a simulated player
  ///   or a tape.
  init(device: String, environment: [String: String]) {
    let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folder = base ?? environment["HOME"].map { "\($0)/.local/state" }
    let isDevice = device.hasPrefix("iio:")
    // The driver's name stays the same if the number changes.
    let title = isDevice ? IIODevice(String(device.dropFirst(4))).title : ""
    let name = title.replacing("/", with: "_")
    path = name.isEmpty ? nil : folder.map { "\($0)/momu/compass/\(name)" }
  }

  package init(path: String) { self.path = path }

  package func read() -> FieldCalibration.Found? {
    guard let text = path.flatMap({ WholeFile.text(of: $0) }) else { return nil }
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 5, numbers.allSatisfy(\.isFinite), numbers[3] > 0, numbers[4] >= 0 else {
      return nil
    }
    return FieldCalibration.Found(
      offset: SIMD3(numbers[0], numbers[1], numbers[2]), strength: numbers[3], doubt: numbers[4])
  }

  package func write(_ found: FieldCalibration.Found) {
    guard let path else { return }
    WholeFile.write(
      "\(found.offset.x) \(found.offset.y) \(found.offset.z) \(found.strength) \(found.doubt)\n", to: path,
      isPrivate: false)
  }
}
