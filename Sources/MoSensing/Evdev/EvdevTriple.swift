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
      held.note(reading)
      deliver(reading)
    }
    while let reading = held.next(until: now) { deliver(reading) }
  }
}
