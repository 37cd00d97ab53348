import Synchronization

/// A place where one thread leaves a device for another.
///
/// - Real-time safe: `take` and `leave` do not wait; the audio thread uses them between blocks.
package final class DeviceHandover: Sendable {
  private final class Box {
    let device: any AudioDevice
    init(_ device: any AudioDevice) { self.device = device }
  }

  /// A retained box's address, or 0.
  private let slot = Atomic<UInt>(0)

  deinit { _ = take() }

  /// Leaves a device and gives back the one that was not taken yet, if any.
  @discardableResult
  package func leave(_ device: any AudioDevice) -> (any AudioDevice)? {
    let box = Unmanaged.passRetained(Box(device)).toOpaque()
    return open(slot.exchange(UInt(bitPattern: box), ordering: .acquiringAndReleasing))
  }

  /// Takes the device that was left, if any.
  package func take() -> (any AudioDevice)? {
    guard slot.load(ordering: .relaxed) != 0 else { return nil }
    return open(slot.exchange(0, ordering: .acquiringAndReleasing))
  }

  private func open(_ address: UInt) -> (any AudioDevice)? {
    UnsafeMutableRawPointer(bitPattern: address).map {
      Unmanaged<Box>.fromOpaque($0).takeRetainedValue().device
    }
  }
}
