import MoCore
import MoOSC
import MoRuntime
import MoSensing

/// A sensor of any kind, with readings as OSC arguments.
package struct RigSensor: Sendable {
  /// Starts reading, or waits for the device.
  package let start: @Sendable (_ source: String?, _ run: Run) throws -> Void
  package let stop: @Sendable () -> Void
  /// The source that is read now; nil while it waits for a device.
  package let source: @Sendable () -> String?
  /// Polls for a missing device; on the thread that services the inputs.
  package let look: @Sendable () -> Void

  /// - Parameter take: called with each reading's values, on the thread that services the inputs.
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
