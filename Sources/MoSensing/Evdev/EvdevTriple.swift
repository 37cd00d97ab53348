import CEvdev
import MoCore
import MoRuntime

/// A sensor with three axes in the kernel's input system.
///
/// It delivers a reading at every SYN_REPORT, with the kernel's time stamp.
///
/// A device that lies completely still reports nothing: the source then repeats the resting value
/// (`SensorReading.atRest`) for 1.5 s.
package final class EvdevTriple<Reading: SensorReading>: EventSource {
  package let name: String
  package let descriptor: Int32?
  package let keepsDescriptor = true
  private let device: EvdevDevice
  private let axes: [Int32]
  private let scale: SIMD3<Float>
  private let make: @Sendable (HostTime, SIMD3<Float>) -> Reading
  private let deliver: @Sendable (Reading) -> Void
  private var held = RestRepeater<Reading>()

  /// Creates a sensor from three axes of a device.
  ///
  /// - Parameters:
  ///   - axes: the codes of x, y and z.
  ///   - scale: for each axis, the value of a raw count of 1, in the unit that `make` expects.
  package init(
    _ device: EvdevDevice, axes: [Int32], scale: SIMD3<Float>, deliver: @escaping @Sendable (Reading) -> Void,
    make: @escaping @Sendable (HostTime, SIMD3<Float>) -> Reading
  ) {
    name = "evdev:\(device.path)"
    descriptor = device.descriptor
    self.device = device
    self.axes = axes
    self.scale = scale
    self.deliver = deliver
    self.make = make
  }

  package var nextTime: HostTime? { held.nextTime }

  package func service(until now: HostTime) throws {
    try device.drain(as: name) { event in
      guard event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) else { return }
      var counts = SIMD3<Float>.zero
      for axis in 0..<3 { counts[axis] = Float(device.value(EV_ABS, axes[axis])) }
      let reading = make(event.time, counts * scale)
      held.hold(reading)
      deliver(reading)
    }
    while let reading = held.next(until: now) { deliver(reading) }
  }
}

/// The conversion from the kernel's axes of an input device to the device's own axes.
///
/// The device's own axes are x to the right, y to the top edge, z out of the face.
///
/// The kernel's drivers differ. A tablet's accelerometer has the device's own axes. A pad's top edge is the edge with
/// the triggers; a Wii remote's is the edge that points at the screen. The face is the side with the buttons.
///
/// - Source: PlayStation pads and the Steam Deck: SDL's `SDL_sensor.h`, whose axes (right, up, towards the player) SDL
///   takes from hid-playstation as they are. Switch controllers: the comment in hid-nintendo (towards the triggers,
///   left, up). Wii remote: SDL's `SDL_hidapi_wii.c`, which sends −x, z, y of the remote's accelerometer and −pitch, yaw,
///   roll of its Motion Plus as right, up, towards the player.
package struct EvdevFrame: Equatable, Sendable {
  /// The indices of the kernel's axes that are the device's x, y and z.
  package let order: [Int]
  /// The factor, 1 or -1, for each of the device's axes x, y and z.
  package let signs: SIMD3<Float>

  /// Creates the conversion for a device with the name `title` in the kernel.
  package init(title: String) {
    (order, signs) =
      if title.hasSuffix(" Motion Sensors") {
        ([0, 2, 1], SIMD3(1, -1, 1))
      } else if title.hasSuffix(" IMU") || title.hasSuffix(" (IMU)") {
        ([1, 0, 2], SIMD3(-1, 1, 1))
      } else if title.hasSuffix(" Remote Accelerometer") {
        ([0, 1, 2], SIMD3(-1, -1, 1))
      } else if title.hasSuffix(" Remote Motion Plus") {
        ([2, 1, 0], SIMD3(-1, -1, 1))
      } else {
        ([0, 1, 2], SIMD3(1, 1, 1))
      }
  }

  /// Converts a vector from the kernel's axes to the device's own axes.
  package func turned(_ values: SIMD3<Float>) -> SIMD3<Float> {
    signs * SIMD3(values[order[0]], values[order[1]], values[order[2]])
  }
}
