import Glibc

/// The earth's magnetic field: the direction of a compass needle at any place, in the years 2025 to 2030.
///
/// - Source: NOAA NCEI and BGS, *The US/UK World Magnetic Model for 2025–2030* (2024), which is exact to 0.4° on most
///   of the earth; Gauss's spherical harmonics as in its section 1.2.
/// - Thread: any.
/// - Real-time safe: no; it allocates.
public enum EarthField {
  /// Returns the declination: the degrees by which a needle points to the east of true north, negative to the west.
  ///
  /// - Parameters:
  ///   - latitude: in degrees, positive to the north.
  ///   - longitude: in degrees, positive to the east.
  ///   - altitude: above sea level, in metres.
  ///   - year: the year and its fraction, such as 2026.89; clamped to 2025 … 2030.
  public static func declination(
    latitude: Double, longitude: Double, altitude: Double = 0, year: Double
  ) -> Double {
    let years = min(max(year, 2025), 2030) - 2025
    let place = Place(latitude: latitude, longitude: longitude, kilometres: altitude / 1000)
    let legendre = Legendre(cosine: place.cosine, sine: place.sine)
    // To the north, to the east, and down towards the earth's centre.
    var (north, east, down) = (0.0, 0.0, 0.0)
    var row = 0
    for n in 1...degree {
      let nearness = pow(6371.2 / place.radius, Double(n + 2))
      for m in 0...n {
        let (g, h) = (value(row, 0, years), value(row, 1, years))
        let (cosine, sine) = (cos(Double(m) * place.longitude), sin(Double(m) * place.longitude))
        north += nearness * (g * cosine + h * sine) * legendre.slope(n, m)
        east += nearness * Double(m) * (g * sine - h * cosine) * legendre[n, m] / place.sine
        down -= nearness * Double(n + 1) * (g * cosine + h * sine) * legendre[n, m]
        row += 1
      }
    }
    // The earth is flattened: its plumb line does not point to its centre.
    let level = north * cos(place.tilt) - down * sin(place.tilt)
    return atan2(east, level) * 180 / .pi
  }

  private static let degree = 12

  /// Returns a Gauss coefficient in nanotesla, `years` years after 2025: g if `part` is 0, h if `part` is 1.
  private static func value(_ row: Int, _ part: Int, _ years: Double) -> Double {
    (Double(coefficients[4 * row + part]) + years * Double(coefficients[4 * row + part + 2])) / 10
  }

  /// A place in geocentric coordinates, on the ellipsoid WGS 84.
  private struct Place {
    let longitude: Double
    /// The distance from the earth's centre, in kilometres.
    let radius: Double
    /// The geocentric latitude minus the geodetic latitude, in radians.
    let tilt: Double
    /// The cosine of the colatitude.
    let cosine: Double
    let sine: Double

    init(latitude: Double, longitude: Double, kilometres: Double) {
      let flattening = 1 / 298.257223563
      let eccentricity = flattening * (2 - flattening)
      // Exactly at the poles there is no east.
      let angle = min(max(latitude, -89.9999), 89.9999) * .pi / 180
      let curve = 6378.137 / (1 - eccentricity * sin(angle) * sin(angle)).squareRoot()
      let across = (curve + kilometres) * cos(angle)
      let up = (curve * (1 - eccentricity) + kilometres) * sin(angle)
      self.longitude = longitude * .pi / 180
      radius = (across * across + up * up).squareRoot()
      (cosine, sine) = (up / radius, across / radius)
      tilt = atan2(up, across) - angle
    }
  }

  /// Legendre's associated functions of the colatitude, in Schmidt's normalisation (1899).
  private struct Legendre {
    private var values: [Double]
    private let cosine: Double
    private let sine: Double
    private static let width = EarthField.degree + 1

    init(cosine: Double, sine: Double) {
      (self.cosine, self.sine) = (cosine, sine)
      values = [Double](repeating: 0, count: Self.width * Self.width)
      values[0] = 1
      for n in 1...EarthField.degree {
        let before = n == 1 ? 1 : (1 - 1 / (2 * Double(n))).squareRoot()
        values[n * Self.width + n] = before * sine * self[n - 1, n - 1]
        for m in 0..<n {
          let older = n >= 2 && m <= n - 2 ? root(n - 1, m) * self[n - 2, m] : 0
          values[n * Self.width + m] = (Double(2 * n - 1) * cosine * self[n - 1, m] - older) / root(n, m)
        }
      }
    }

    subscript(_ n: Int, _ m: Int) -> Double { values[n * Self.width + m] }

    /// Returns the derivative of the function of degree `n` and order `m` with respect to the colatitude.
    func slope(_ n: Int, _ m: Int) -> Double {
      let lower = m < n ? root(n, m) * self[n - 1, m] : 0
      return (Double(n) * cosine * self[n, m] - lower) / sine
    }

    private func root(_ n: Int, _ m: Int) -> Double { Double(n * n - m * m).squareRoot() }
  }
}

extension EarthField {
  /// The Gauss coefficients in tenths of a nanotesla, and their changes in tenths of a nanotesla per year.
  ///
  /// The values are g, h and their changes, row by row: n = 1 … 12, and in each m = 0 … n.
  ///
  /// - Source: NOAA National Centers for Environmental Information and British Geological Survey, *World Magnetic Model
  ///   2025*, coefficients of November 2024, in the public domain. All 90 rows were compared with the file
  ///   `WMM_2025.COF` of 13 November 2024 in pygeomag 1.1.0 (PyPI): they are equal.
  static let coefficients: [Int32] = [
    -293518, 0, 120, 0, -14108, 45454, 97, -215, -25566, 0, -116, 0, 29511, -31336, -52, -277,
    16493, -8151, -80, -121, 13610, 0, -13, 0, -24041, -566, -42, 40, 12438, 2375, 4, -3,
    4536, -5495, -156, -41, 8950, 0, -16, 0, 7995, 2786, -24, -11, 557, -1339, -60, 41,
    -2811, 2120, 56, 16, 121, -3756, -70, -44, -2332, 0, 6, 0, 3689, 454, 14, -5, 1872, 2202, 0, 22,
    -1387, -1229, 6, 4, -1420, 430, 22, 17, 209, 1061, 9, 19, 644, 0, -2, 0, 638, -184, -4, 3,
    769, 168, 9, -16, -1157, 488, 12, -4, -409, -598, -9, 9, 149, 109, 3, 7, -607, 727, 9, 9,
    795, 0, 0, 0, -770, -489, -1, 6, -88, -144, -1, 5, 593, -10, 5, -8, 158, 234, -1, 0,
    25, -74, -8, -10, -111, -251, -8, 6, 142, -23, 8, -2, 232, 0, -1, 0, 108, 71, 2, -2,
    -175, -126, 0, 5, 20, 114, 5, -4, -217, -97, -1, 4, 169, 127, 3, -5, 150, 7, 2, -6, -168, -52, 0, 3,
    9, 39, 2, 2, 46, 0, 0, 0, 78, -248, -1, -3, 30, 122, 1, 3, -2, 83, 3, -3, -25, -33, -3, 3,
    -131, -52, 0, 2, 24, 72, 3, -1, 86, -6, -1, -2, -87, 8, 1, 4, -129, 100, -1, 1, -13, 0, 1, 0,
    -64, 33, 0, 0, 2, 0, 1, 0, 20, 24, 1, -2, -10, 53, 0, 1, -6, -91, -3, -1, -9, 4, 0, 1,
    15, -42, -1, 0, 9, -38, -1, -1, -27, 9, 0, 2, -39, -91, 0, 0, 29, 0, 0, 0, -15, 0, 0, 0,
    -25, 29, 0, 1, 24, -6, 0, 0, -6, 2, 0, 1, -1, 5, -1, 0, -6, -3, 0, 0, -1, -12, 0, 1, 11, -17, -1, 0,
    -10, -29, -1, 0, -2, -18, -1, 0, 26, -23, -1, 0, -20, 0, 0, 0, -2, -13, 0, 0, 3, 7, 0, 0,
    12, 10, 0, -1, -13, -14, 0, 1, 6, 0, 0, 0, 6, 6, 1, 0, 5, -1, 0, 0, -1, 8, 0, 0, -4, 1, 0, 0,
    -2, -10, -1, 0, -13, 1, 0, 0, -7, 2, -1, -1,
  ]
}
