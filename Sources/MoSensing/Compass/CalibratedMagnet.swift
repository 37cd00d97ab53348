import MoCore
import MoRuntime

/// A magnetometer, and the estimate of its device's own magnetic field, which all combined sensors share.
///
/// The estimate begins anew if the magnetometer reads another source, since each device has its own field. The fields
/// of real devices are stored in files (`CompassFile`).
///
/// - Thread: any.
package final class CalibratedMagnet: Sendable {
  package let server: SensorServer<Field>
  private let environment: [String: String]
  private let state = Locked(State())

  private struct State {
    /// The run, and the source of the magnetometer in this run, for which `own` is the estimate.
    weak var run: Run?
    var source: String?
    var own = OwnField()
    /// The file of the source; nil if this run stores nothing.
    var file: CompassFile?
    /// The estimate in the file.
    var stored: FieldCalibration.Found?

    mutating func begin(_ source: String?, in run: Run, environment: [String: String]) {
      save()
      // Offline there is no real device to recognise later.
      let file = run.isOffline ? nil : CompassFile(device: source ?? "", environment: environment)
      stored = file?.read()
      // A rig writes no file.
      self.file = run.waitsForDevices ? nil : file
      (self.run, self.source, own) = (run, source, OwnField(stored: stored))
    }

    mutating func save() {
      guard let file, let best = own.best, best != stored else { return }
      file.write(best)
      stored = best
    }
  }

  /// - Parameters:
  ///   - server: the magnetometer.
  ///   - environment: the environment variables that name the folder of the files.
  package init(_ server: SensorServer<Field>, environment: [String: String] = Run.environment()) {
    (self.server, self.environment) = (server, environment)
  }

  /// Adds a reading of the magnetometer to the estimate, and returns the reading without the device's own field.
  ///
  /// Several combined sensors may add the same reading, which counts once.
  package func correct(_ field: Field, in run: Run) -> CorrectedField {
    let source = server.sensorInput.sourceName
    return state.withLock { state in
      if state.run !== run || state.source != source {
        state.begin(source, in: run, environment: environment)
      }
      return state.own.correct(field)
    }
  }

  /// Stores the estimate for the next start of the program, if the run stores it.
  package func save() { state.withLock { $0.save() } }
}
