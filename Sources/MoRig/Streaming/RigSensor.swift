import MoCore
import MoOSC
import MoRuntime
import MoSensing

/// A sensor of any kind, whose readings are what OSC says of them.
package struct RigSensor: Sendable {
  /// Begins to read, or waits for the device.
  package let start: @Sendable (_ source: String?, _ run: Run) throws -> Void
  package let stop: @Sendable () -> Void
  /// What is read now; nil while a device is waited for.
  package let source: @Sendable () -> String?
  /// Looks for the device that is waited for; on the thread that services the inputs.
  package let look: @Sendable () -> Void

  /// - Parameter take: called with every reading's values, on the thread that services the inputs.
  init<Reading>(
    _ kind: SensorKind<Reading>, first: Reading, _ take: @escaping @Sendable ([OSCArgument], HostTime) -> Void
  ) {
    let server = SensorServer<Reading>(kind, first: first)
    server.callbacks.add { take($0.arguments, $0.time) }
    start = { try server.start(source: $0, in: $1) }
    stop = { server.stop() }
    source = { server.intake.sourceName }
    look = { server.intake.look() }
  }
}
