import MoCore

/// The magnetic field of a device's own parts, which is subtracted from the readings of its magnetometer.
///
/// The estimate improves while the device is turned about all its axes. It stays if later readings contain too little
/// information, such as after turns about one axis only. A stored estimate stays until the readings give a better
/// estimate, or until they show clearly that the field has changed.
package struct OwnField: Sendable {
  /// The best estimate; nil if the field is unknown.
  package private(set) var best: FieldCalibration.Found?
  /// The latest estimate that is about as exact as `best`, but was not used in its place; nil if there is none.
  private var other: FieldCalibration.Found?
  private var calibration = FieldCalibration()

  /// - Parameter stored: the estimate from an earlier start of the program; nil if no estimate is stored.
  package init(stored: FieldCalibration.Found? = nil) { best = stored }

  /// Adds a reading of the magnetometer, and returns the reading without the device's own field.
  package mutating func correct(_ field: Field) -> CorrectedField {
    let measured = SIMD3<Double>(Double(field.x), Double(field.y), Double(field.z))
    if calibration.add(measured), let found = calibration.found {
      if best.map({ found.replaces($0) }) ?? true {
        (best, other) = (found, nil)
      } else if let best, found.doubt <= 2 * best.doubt {
        other = found
      }
    }
    return CorrectedField(time: field.time, earth: measured - (best?.offset ?? .zero), doubt: doubt)
  }

  /// The uncertainty of `best`, in µT; if `other` differs by more, the field may have changed by this difference.
  private var doubt: Double? {
    best.map { best in max(best.doubt, other?.distance(to: best) ?? 0) }
  }
}

/// A reading of a magnetometer without the device's own field.
package struct CorrectedField: Sendable {
  /// The time of the measurement.
  package var time: HostTime
  /// The earth's field along the device's axes, in µT; as measured if the device's own field is unknown.
  package var earth: SIMD3<Double>
  /// The uncertainty of `earth`, in µT: twice its standard deviation; nil if the device's own field is unknown.
  package var doubt: Double?

  package init(time: HostTime, earth: SIMD3<Double>, doubt: Double?) {
    (self.time, self.earth, self.doubt) = (time, earth, doubt)
  }
}
