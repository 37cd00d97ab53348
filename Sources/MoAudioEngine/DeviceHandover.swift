import Synchronization

/// A box around a device, created outside the audio thread, so that a handover allocates nothing.
package final class DeviceBox {
  let device: any AudioDevice
  package init(_ device: any AudioDevice) { self.device = device }
}

/// Two places in which a thread leaves devices for another thread.
///
/// - Real-time safe: `popBox` and `leave(box)` neither wait nor allocate; the audio thread uses them between blocks.
package final class DeviceHandover: Sendable {
  /// Two places, each with the address of a retained box, or 0.
  private struct Places: ~Copyable {
    let first = Atomic<UInt>(0)
    let second = Atomic<UInt>(0)
  }

  private let places = Places()

  deinit {
    while popBox() != nil {}
  }

  /// Puts a device into a free place for the other thread.
  ///
  /// If both places are in use, the device replaces the device in the second place.
  ///
  /// - Returns: the replaced device; nil if a place was free.
  /// - Real-time safe: no, it creates a box.
  @discardableResult
  package func leave(_ device: any AudioDevice) -> (any AudioDevice)? { leave(DeviceBox(device))?.device }

  /// Puts a box into a free place for the other thread.
  ///
  /// If both places are in use, the box replaces the box in the second place.
  ///
  /// - Returns: the replaced box; nil if a place was free.
  package func leave(_ box: DeviceBox) -> DeviceBox? {
    let address = UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())
    if places.first.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing).exchanged
    {
      return nil
    }
    return open(places.second.exchange(address, ordering: .acquiringAndReleasing))
  }

  /// Removes a device from its place and returns it; nil if both places are empty.
  package func pop() -> (any AudioDevice)? { popBox()?.device }

  /// Removes a box from its place and returns it; nil if both places are empty.
  package func popBox() -> DeviceBox? {
    if places.first.load(ordering: .relaxed) != 0,
      let box = open(places.first.exchange(0, ordering: .acquiringAndReleasing))
    {
      return box
    }
    guard places.second.load(ordering: .relaxed) != 0 else { return nil }
    return open(places.second.exchange(0, ordering: .acquiringAndReleasing))
  }

  private func open(_ address: UInt) -> DeviceBox? {
    UnsafeMutableRawPointer(bitPattern: address).map {
      Unmanaged<DeviceBox>.fromOpaque($0).takeRetainedValue()
    }
  }
}
