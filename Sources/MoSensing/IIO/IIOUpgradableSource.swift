import MoCore
import MoRuntime

/// A source that polls an Industrial I/O vector until the program gets the right to use the device's buffer.
///
/// The device appears before udev sets the rights of its attributes. A program that reads the device at once could
/// otherwise only poll the device, as long as it is plugged in.
package final class IIOUpgradableSource: EventSource {
  package let name: String
  private var current: any EventSource
  private let mayUpgrade: () -> Bool
  private let upgraded: () -> (any EventSource)?
  /// The time of the next check of the right; nil after the upgrade was tried.
  private var nextCheck: HostTime?
  private var isPermitted = false

  /// The seconds between two checks.
  private static let pause = 1.0

  /// - Parameters:
  ///   - polled: the source to read first.
  ///   - mayUpgrade: returns whether the program has the right to use the buffer.
  ///   - upgraded: opens the source that reads the buffer; returns nil if that is not possible.
  package init(
    _ polled: any EventSource, now: HostTime, mayUpgrade: @escaping () -> Bool,
    upgraded: @escaping () -> (any EventSource)?
  ) {
    name = polled.name
    current = polled
    nextCheck = now.advanced(bySeconds: Self.pause)
    (self.mayUpgrade, self.upgraded) = (mayUpgrade, upgraded)
  }

  // The descriptor changes with the upgrade, so `keepsDescriptor` is false.
  package var descriptor: Int32? { current.descriptor }

  package var nextTime: HostTime? { current.nextTime }

  package func service(until now: HostTime) throws {
    if let nextCheck, nextCheck <= now { upgrade(at: now) }
    try current.service(until: now)
  }

  /// Reads the buffer from now on, if the program had the right already a second ago.
  ///
  /// udev sets the rights of several files, one after the other, so the first right does not mean all rights.
  private func upgrade(at now: HostTime) {
    nextCheck = isPermitted ? nil : now.advanced(bySeconds: Self.pause)
    if isPermitted, let buffered = upgraded() { current = buffered }
    isPermitted = mayUpgrade()
  }
}
