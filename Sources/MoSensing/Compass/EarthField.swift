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
