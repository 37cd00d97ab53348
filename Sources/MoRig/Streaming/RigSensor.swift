import MoCore
import MoOSC
import MoRuntime
import MoSensing

/// A sensor of any kind, with readings as OSC arguments.
package struct RigSensor: Sendable {
  /// Starts to read the source, or to wait for its device; a nil source means the best device that is there.
  package let start: @Sendable (_ source: String?, _ run: Run) throws -> Void
  package let stop: @Sendable () -> Void
  /// Returns the name of the source that is read now; nil while the sensor waits for a device.
  package let source: @Sendable () -> String?
  /// Polls for a missing device; called on the thread `mo-input`, which reads the sensors.
  package let look: @Sendable () -> Void

  /// - Parameter take: called with the values and the time of each reading, on the thread `mo-input`.
  init<Reading>(
    _ kind: SensorKind<Reading>, _ take: @escaping @Sendable ([OSCArgument], HostTime) -> Void
  ) {
    let server = SensorServer<Reading>(kind)
    server.callbacks.add { take($0.arguments, $0.time) }
    start = { try server.start(source: $0, in: $1) }
    stop = { server.stop() }
    source = { server.intake.sourceName }
    look = { server.intake.look() }
  }
}
