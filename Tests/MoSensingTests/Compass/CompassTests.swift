import Glibc
import MoCore
import MoOSC
import MoRuntime
import MoSensing
import Testing

@Suite("The compass")
struct CompassTests {
  private let earth = Held.earth
  private let own = SIMD3<Double>(35, -60, 22)

  /// Returns a reading of a device without a field of its own, with the given uncertainty in µT.
  private func clean(_ value: SIMD3<Double>, doubt: Double? = nil) -> CorrectedField {
    CorrectedField(time: .zero, earth: value, doubt: doubt)
  }

  /// Holds a device in a position, and returns the heading.
  private func heading(
    _ held: Held, _ state: inout CompassState, _ ownField: inout OwnField, _ chance: inout Chance,
    noise: Double = 0.5, at time: HostTime
  ) -> Heading? {
    let up = held.seen(SIMD3(0, 0, 1))
    state.hold(SIMD3(Float(up.x), Float(up.y), Float(up.z)), at: time)
    return state.heading(for: ownField.correct(held.field(own, &chance, noise: noise, at: time)))
  }

  /// Turns a device about all its axes, in a figure of eight, for ten seconds with fifty readings a second.
  private func turnAboutAllAxes(
    _ state: inout CompassState, _ ownField: inout OwnField, _ chance: inout Chance, noise: Double = 0.5
  ) {
    for n in 0..<500 {
      let seconds = Double(n) / 50
      let held = Held.inFigureOfEight(at: seconds)
      _ = heading(held, &state, &ownField, &chance, noise: noise, at: HostTime(seconds: seconds))
    }
  }

  private func apart(_ one: Float, _ other: Double) -> Double {
    abs((Double(one) - other + 540).truncatingRemainder(dividingBy: 360) - 180)
  }

  @Test(
    "held level, without a field of its own, it points along the field",
    arguments: [0.0, 90, 180, 270, 359, 12.5])
  func level(_ heading: Double) throws {
    var state = CompassState()
    let held = Held(heading: heading, pitch: 0, roll: 0)
    let value = held.seen(earth)
    state.hold(SIMD3(0, 0, 1), at: .zero)
    let said = state.heading(for: clean(value))
    #expect(apart(try #require(said).magneticHeading, heading) < 0.001)
    #expect(said?.accuracy == 180)
  }

  @Test(
    "without an accelerometer reading, no heading claims to be exact, before the first one or after a loss"
  )
  func noUp() throws {
    var state = CompassState()
    let field = clean(Held(heading: 90, pitch: 0, roll: 0).seen(earth), doubt: 0.5)
    let early = state.heading(for: field)
    #expect(early?.accuracy == 180)
    state.hold(SIMD3(0, 0, 1), at: .zero)
    let level = state.heading(for: field)
    #expect(try #require(level).accuracy < 5)
    state.letGo()
    let late = state.heading(for: field)
    #expect(late?.accuracy == 180)
  }

  @Test("the heading does not change with the tilt", arguments: [(30.0, 0.0), (0, 50), (-60, 20), (45, -45)])
  func tilted(_ pitch: Double, _ roll: Double) throws {
    for heading in stride(from: 0.0, to: 360, by: 30) {
      var state = CompassState()
      let held = Held(heading: heading, pitch: pitch, roll: roll)
      let (value, up) = (held.seen(earth), held.seen(SIMD3(0, 0, 1)))
      state.hold(SIMD3(Float(up.x), Float(up.y), Float(up.z)), at: .zero)
      let said = try #require(state.heading(for: clean(value)))
      #expect(apart(said.magneticHeading, heading) < 0.01, "\(heading)")
    }
  }

  @Test(
    "finds the device's own field, three times the earth's, while it is turned, and then points correctly"
  )
  func ownField() throws {
    var (state, ownField, chance) = (CompassState(), OwnField(), Chance())
    turnAboutAllAxes(&state, &ownField, &chance)
    let found = try #require(ownField.best)
    #expect(
      abs(found.offset.x - own.x) < 1.5 && abs(found.offset.y - own.y) < 1.5
        && abs(found.offset.z - own.z) < 1.5)
    #expect(abs(found.strength - 48.3) < 2)
    var worst = 0.0
    var time = HostTime(seconds: 10)
    for angle in stride(from: 0.0, to: 360, by: 10) {
      let held = Held(heading: angle, pitch: 10, roll: -15)
      time = time + .seconds(5)
      let taken = heading(held, &state, &ownField, &chance, at: time)
      let said = try #require(taken)
      worst = max(worst, apart(said.magneticHeading, angle))
      #expect(said.accuracy < 10)
    }
    #expect(worst < 5, "\(worst)")
  }

  @Test("keeps its calibration while the device is turned about the vertical axis only, for many turns")
  func manyTurns() throws {
    var (state, ownField, chance) = (CompassState(), OwnField(), Chance())
    turnAboutAllAxes(&state, &ownField, &chance)
    var worst = (error: 0.0, accuracy: Float(0))
    for n in 1...3000 {
      let angle = Double(7 * n % 360)
      let time = HostTime(seconds: 10 + Double(n) / 50)
      let level = Held(heading: angle, pitch: 0, roll: 0)
      let taken = heading(level, &state, &ownField, &chance, noise: 0.2, at: time)
      let said = try #require(taken)
      worst.accuracy = max(worst.accuracy, said.accuracy)
      // For the first second, the up direction still follows the last tilt.
      if n > 50 { worst.error = max(worst.error, apart(said.magneticHeading, angle)) }
    }
    #expect(worst.error < 5 && worst.accuracy < 20, "\(worst)")
  }

  @Test("prefers an exact stored calibration to a coarse new one")
  func stored() throws {
    let stored = FieldCalibration.Found(offset: own, strength: 48, doubt: 0.5)
    var (state, ownField, chance) = (CompassState(), OwnField(stored: stored), Chance())
    // Picked up, and tipped a few times.
    for n in 0..<30 {
      let held = Held(heading: 0, pitch: 55 * sin(0.8 * Double(n)), roll: 55 * cos(0.5 * Double(n)))
      let time = HostTime(seconds: Double(n))
      let said = heading(held, &state, &ownField, &chance, noise: 1, at: time)
      #expect(try #require(said).accuracy < 6)
    }
    #expect(ownField.best == stored)
  }

  @Test("replaces a stored calibration if the device's own field has changed")
  func changed() throws {
    let earlier = FieldCalibration.Found(offset: own - SIMD3(30, 0, 0), strength: 48, doubt: 0.1)
    var (state, ownField, chance) = (CompassState(), OwnField(stored: earlier), Chance())
    turnAboutAllAxes(&state, &ownField, &chance)
    let error = try #require(ownField.best).offset - own
    #expect((error * error).sum().squareRoot() < 1)
  }

  @Test("reports the difference between a stored calibration and a new one that is almost as exact")
  func drifted() throws {
    let stored = FieldCalibration.Found(offset: own - SIMD3(1.5, 0, 0), strength: 48, doubt: 0.5)
    var (state, ownField, chance) = (CompassState(), OwnField(stored: stored), Chance())
    turnAboutAllAxes(&state, &ownField, &chance, noise: 1)
    #expect(ownField.best == stored)
    let field = ownField.correct(Field(time: HostTime(seconds: 20), x: 35, y: -60, z: 22))
    #expect(try #require(field.doubt) > 1)
  }

  @Test("the reported accuracy holds 19 times out of 20")
  func accuracy() throws {
    var chance = Chance()
    var within = 0
    var said = 0
    for trial in 0..<200 {
      var calibration = FieldCalibration()
      for n in 0..<200 {
        let held = Held(
          heading: Double(7 * n + trial), pitch: 50 * sin(Double(n) / 9), roll: 50 * cos(Double(n) / 5))
        let value = held.field(own, &chance, noise: 1, at: .zero)
        _ = calibration.add(SIMD3(Double(value.x), Double(value.y), Double(value.z)))
      }
      guard let found = calibration.found else { continue }
      said += 1
      let error = found.offset - own
      if (error * error).sum().squareRoot() <= found.doubt { within += 1 }
    }
    #expect(said == 200)
    #expect(Double(within) >= 0.9 * Double(said), "\(within)")
  }

  @Test("claims no accuracy if the device lies still or is turned about one axis only")
  func unknown() {
    var chance = Chance()
    var still = FieldCalibration()
    var flat = FieldCalibration()
    for n in 0..<1000 {
      let lying = Held(heading: 50, pitch: 0, roll: 0).field(own, &chance, at: .zero)
      _ = still.add(SIMD3(Double(lying.x), Double(lying.y), Double(lying.z)))
      let turning = Held(heading: Double(n) * 7, pitch: 0, roll: 0).field(own, &chance, at: .zero)
      _ = flat.add(SIMD3(Double(turning.x), Double(turning.y), Double(turning.z)))
    }
    #expect(still.found == nil)
    #expect(flat.found.map { $0.doubt > 15 } ?? true)
  }

  @Test("keeps the estimate in a file, and ignores an invalid file")
  func kept() {
    let path = "/tmp/momu-compass-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(path) }
    let file = CompassFile(path: path)
    #expect(file.read() == nil)
    let found = FieldCalibration.Found(offset: SIMD3(1.5, -2, 3), strength: 48, doubt: 0.25)
    file.write(found)
    #expect(file.read() == found)
    for text in ["", "1 2 3", "1 2 3 x 5", "1 2 3 -4 5", "1 2 3 nan 5"] {
      WholeFile.write(text, to: path, isPrivate: false)
      #expect(file.read() == nil, "\(text)")
    }
  }

  @Test("the offset is subtracted from both headings, and the declination added")
  func offset() {
    let heading = Heading(time: .zero, magnetic: 10, accuracy: 2)
    let turned = heading.turned(by: 30, declination: 4)
    #expect(turned.magneticHeading == 340 && turned.trueHeading == 344)
    #expect(heading.turned(by: 0, declination: nil).trueHeading == nil)
    #expect(heading.turned(by: 10, declination: -5).trueHeading == 355)
    #expect(Heading(time: .zero, magnetic: -1e-9, accuracy: 2).magneticHeading == 0)
  }

  @Test("a heading survives its OSC message, also with an unknown true heading")
  func messages() {
    for heading in [
      Heading(time: .zero, magnetic: 10, accuracy: 2),
      Heading(time: .zero, magnetic: 10, true: 14, accuracy: 2),
    ] { #expect(Heading(time: .zero, arguments: heading.arguments) == heading) }
    // A patch computes with the values that it receives: an unknown true heading must be a number, too.
    let unknown = Heading(time: .zero, magnetic: 10, accuracy: 2).arguments
    #expect(unknown == [.float(10), .float(-1), .float(2)])
    #expect(Heading(time: .zero, arguments: [.float(10), .float(.nan), .float(2)])?.trueHeading == nil)
    #expect(Heading(time: .zero, arguments: [.float(.nan), .float(1), .float(2)]) == nil)
    #expect(Heading(time: .zero, arguments: [.float(1)]) == nil)
  }

  // At random places and times: year, kilometres, latitude, longitude, degrees.
  @Test(
    "agrees with pygeomag 1.1.0 on the declination to 0.002°",
    arguments: [
      (2026.62, 0.4, -52.4, 54.3, -56.799), (2027.67, 2.5, -20.1, -159.1, 13.919),
      (2025.19, 0.5, -10.0, -154.9, 10.988), (2027.12, 1.1, 49.0, -135.4, 15.716),
      (2028.13, 2.0, 67.2, 27.8, 15.068), (2029.87, 1.4, -68.0, 129.0, -146.23),
      (2025.72, 4.1, -57.3, -68.9, 13.616), (2025.9, 1.9, 12.2, 50.0, 0.73),
      (2027.73, 1.0, -65.6, -158.5, 57.759), (2028.4, 2.9, -10.9, -66.9, -12.509),
      (2027.26, 3.5, -30.0, 106.0, -4.983), (2026.22, 4.4, 11.2, 9.1, 0.673),
    ])
  func otherProgram(
    _ year: Double, _ kilometres: Double, _ latitude: Double, _ longitude: Double, _ degrees: Double
  ) {
    let found = EarthField.declination(
      latitude: latitude, longitude: longitude, altitude: kilometres * 1000, year: year)
    #expect(abs(found - degrees) < 0.002, "\(found)")
  }

  // Declinations of NOAA's published test values for the model, to 0.01°; pygeomag computes the same.
  @Test(
    "gives the declinations of the World Magnetic Model",
    arguments: [
      (2025.0, 0.0, 80.0, 0.0, 1.28), (2025, 0, 0, 120, -0.16), (2025, 0, -80, 240, 68.78),
      (2025, 100, 80, 0, 0.85),
      (2025, 100, 0, 120, -0.15), (2025, 100, -80, 240, 68.21), (2027.5, 0, 80, 0, 2.59),
      (2027.5, 0, 0, 120, -0.24),
      (2027.5, 0, -80, 240, 68.49), (2027.5, 100, 80, 0, 2.16), (2027.5, 100, 0, 120, -0.23),
      (2027.5, 100, -80, 240, 67.93), (2025, 28, 89, -121, -99.77), (2025, 48, 80, -96, -29.91),
    ])
  func declination(
    _ year: Double, _ kilometres: Double, _ latitude: Double, _ longitude: Double, _ degrees: Double
  ) {
    let found = EarthField.declination(
      latitude: latitude, longitude: longitude, altitude: kilometres * 1000, year: year)
    #expect(abs(found - degrees) < 0.0101)
  }
}
