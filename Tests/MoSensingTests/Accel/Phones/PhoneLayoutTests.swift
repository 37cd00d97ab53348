import MoCore
import MoDSP
import MoOSC
import MoSensing
import Testing

@Suite("Layouts of phone apps")
struct PhoneLayoutTests {
  /// Messages that people kept in their patches, from phones that lay still.
  @Test(
    "TouchOSC messages of an iPhone that lay face up, kept in Max patches, give 1 g upwards",
    arguments: [
      SIMD3<Float>(0.049576, -0.034637, -0.997223), SIMD3(0.138733, -0.089066, -0.992035),
      SIMD3(-0.018112, 0.072449, -1.086731), SIMD3(-0.211411, 0.15123, -0.966446),
    ])
  func touchOSCOnIOS(values: SIMD3<Float>) throws {
    let reading = try #require(read([message("/accxyz", values.x, values.y, values.z)]).first)
    #expect(reading == -values)
    #expect(reading.z > 0.9 && abs(reading.length - 1) < 0.1)
  }

  @Test("the m/s² values in TouchOSC's manual give the same 1 g")
  func touchOSCOnAndroid() throws {
    let reading = try #require(read([message("/accxyz", -8.925, 0.134, 4.078)]).first)
    #expect(abs(reading.length - 1) < 0.001)
    #expect(reading.x < 0 && reading.y > 0 && reading.z > 0)
    // Android: the raised side reads positive. x below 0: the right edge is down, by 65°.
    #expect(abs(Motion.Tilt(up: reading).roll - 65.4) < 0.1)
  }

  @Test(
    "TouchOSC on an iPhone has the opposite signs: kept messages are tipped right or left",
    arguments: [
      // Core Motion gives the direction of gravity: x above 0 is towards the right edge, y below 0 towards the bottom
      // edge.
      (SIMD3<Float>(0.138733, -0.089066, -0.992035), 8, 5), (SIMD3(-0.211411, 0.15123, -0.966446), -12, -9),
    ] as [(SIMD3<Float>, Float, Float)])
  func directionsOnIOS(values: SIMD3<Float>, roll: Float, pitch: Float) throws {
    let tilt = Motion.Tilt(up: try #require(read([message("/accxyz", values.x, values.y, values.z)]).first))
    #expect(abs(tilt.roll - roll) < 1 && abs(tilt.pitch - pitch) < 1, "\(tilt)")
  }

  @Test("ZIG SIM on iOS: movement and gravity of a bundle become one reading")
  func zigSimOnIOS() {
    let info = OSCMessage(
      "/00KWhGqPVfKH51Xf/deviceinfo", ["iPhone X", "00KWhGqPVfKH51Xf", "ios", "13.1", 1125, 2436])
    let readings = read([
      info, message("/ZIGSIM/00KWhGqPVfKH51Xf/accel", 0, 0, 0),
      message("/ZIGSIM/00KWhGqPVfKH51Xf/gravity", 0, 0, -1),
      message("/ZIGSIM/00KWhGqPVfKH51Xf/gyro", 0.1, 0.2, 0.3),
      // Pushed to the right with half a g: Core Motion's −0.5 is +0.5 for the raw sensor.
      info, message("/ZIGSIM/00KWhGqPVfKH51Xf/accel", -0.5, 0, 0),
      message("/ZIGSIM/00KWhGqPVfKH51Xf/gravity", 0, 0, -1),
    ])
    #expect(readings == [SIMD3(0, 0, 1), SIMD3(0.5, 0, 1)])
  }

  @Test("ZIG SIM on Android sends doubles, without its own name, with Android's signs in either unit")
  func zigSimOnAndroid() {
    for one in [1, 9.80665] {
      let readings = read([
        OSCMessage("/beer/deviceinfo", ["Pixel 6a", "beer", "android", "13", 1080, 2400]),
        OSCMessage("/beer/accel", [.double(0), .double(0), .double(0)]),
        OSCMessage("/beer/gravity", [.double(0), .double(0), .double(one)]),
      ])
      #expect(readings.count == 1 && isNear(readings.first, SIMD3(0, 0, 1)))
    }
  }

  @Test("the example of Sensors2OSC is a phone that lies flat")
  func sensors2OSC() throws {
    let reading = try #require(read([message("/accelerometer", 0.001, -0.001, 9.790)]).first)
    #expect(isNear(reading, SIMD3(0.0001, -0.0001, 0.9983), by: 1e-4))
  }

  @Test("reads the bytes that Sensors2OSC sends by JavaOSC: one message, or a bundle of one")
  func sensors2OSCBytes() throws {
    // 9.80665 is 0x411CE80A as IEEE 754 writes it.
    let bytes: [UInt8] =
      Array("/accelerometer".utf8) + [0, 0] + Array(",fff".utf8) + [0, 0, 0, 0]
      + [0, 0, 0, 0] + [0, 0, 0, 0] + [0x41, 0x1C, 0xE8, 0x0A]
    #expect(isNear(read([try OSCMessage(bytes: bytes)]).first, SIMD3(0, 0, 1)))
    let bundle = try OSCBundle(
      bytes: Array("#bundle".utf8) + [0] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, UInt8(bytes.count)] + bytes)
    guard case .message(let inner)? = bundle.elements.first else {
      Issue.record("no message")
      return
    }
    #expect(isNear(read([inner]).first, SIMD3(0, 0, 1)))
  }

  @Test("Sensors2OSC up to 0.2 sent one axis per message; if one is lost, there is no reading")
  func axes() {
    let whole = [
      message("/accelerometer/X", 9.80665), message("/accelerometer/Y", 0), message("/accelerometer/Z", 0),
    ]
    #expect(isNear(read(whole).first, SIMD3(1, 0, 0)))
    #expect(read([whole[0], whole[2]]).isEmpty)
    #expect(read([whole[1], whole[2]]).isEmpty)
    #expect(read([whole[0], whole[2]] + whole).count == 1)
  }

  @Test("separate gravity and linear acceleration are added, however often each comes")
  func split() {
    let down = message("/gravity", 0, 0, 9.80665)
    let push = message("/linearacceleration", 9.80665, 0, 0)
    #expect(isNear(read([push, down]).last, SIMD3(1, 0, 1)))
    #expect(isNear(read([down, push]).last, SIMD3(1, 0, 1)))
    // Pairs give one reading each, and a part that comes five times as often does not wait.
    #expect(read(Array(repeating: [push, down], count: 10).flatMap { $0 }).count == 10)
    #expect(
      read(Array(repeating: [down, push, push, push, push, push], count: 10).flatMap { $0 }).count >= 49)
    // Gravity alone gives the tilt; movement alone counts as that of a phone that lies flat.
    #expect(read(Array(repeating: down, count: 10)).allSatisfy { isNear($0, SIMD3(0, 0, 1)) })
    #expect(read(Array(repeating: down, count: 10)).count == 9)
    #expect(isNear(read([push, push]).last, SIMD3(1, 0, 1)))
  }

  @Test("an app that sends the whole as well as its parts is read once")
  func wholeAndParts() {
    let all = [
      message("/accelerometer", 0, 0, 9.8), message("/gravity", 0, 0, 9.8),
      message("/linearacceleration", 0, 0, 0),
    ]
    #expect(read(Array(repeating: all, count: 10).flatMap { $0 }).count == 10)
  }

  @Test("detects the unit even if the first reading came in the middle of a shake")
  func unit() {
    // 4 g would be 0.4 in m/s², and 2 m/s² a hard fall.
    let iPhone = [message("/accxyz", -4, 0, -1)] + Array(repeating: message("/accxyz", 0, 0, -1), count: 9)
    #expect(isNear(read(iPhone).last, SIMD3(0, 0, 1)))
    let android =
      [message("/accxyz", 1, 1, 1)] + Array(repeating: message("/accxyz", 0, 0, 9.80665), count: 9)
    #expect(isNear(read(android).last, SIMD3(0, 0, 1)))
    // Ten shakes of 5 g do not make an iPhone an Android.
    let shakes = (0..<1000).map { index -> OSCMessage in
      message("/accxyz", index % 20 > 14 ? 5 : 0, 0, -1)
    }
    #expect(read(shakes).allSatisfy { $0.z == 1 })
  }

  @Test("a rig's motion survives every layout", arguments: PhoneLayout.allCases)
  func roundTrip(layout: PhoneLayout) throws {
    var features = MotionFeatures()
    let player = SimulatedAccelerometer.Player.shake
    var sent: [OSCMessage] = []
    var wanted: [SIMD3<Float>] = []
    for index in 0..<200 {
      let (x, y, z) = player.acceleration(at: Double(index) / 100)
      let time = HostTime(seconds: Double(index) / 100)
      let worked = features.read(time: time, x: x, y: y, z: z)
      let motion = try #require(worked)
      wanted.append(SIMD3(x, y, z))
      switch try OSCPacket(bytes: layout.packet(motion).encoded()) {
      case .message(let message): sent.append(message)
      case .bundle(let bundle):
        for case .message(let message) in bundle.elements { sent.append(message) }
      }
    }
    let got = read(sent)
    #expect(got.count == wanted.count)
    #expect(zip(got, wanted).allSatisfy { isNear($0, $1, by: 1e-5) })
  }

  @Test("a tilted rig's ZIG SIM sends gravity of length 1 g, and the rest as movement")
  func zigSimGravity() throws {
    let tilt = Motion.Tilt(pitch: 30, roll: 45)
    let motion = Motion(time: .zero, x: 0.5, y: 0, z: 1, tilt: tilt)
    guard case .bundle(let bundle) = PhoneLayout.zigSim.packet(motion, device: "rig"),
      case .message(let gravity) = bundle.elements[2]
    else {
      Issue.record("no bundle")
      return
    }
    #expect(gravity.address == "/ZIGSIM/rig/gravity")
    let numbers = SIMD3(gravity.arguments.compactMap(\.number).map { Float($0) })
    // x = −cos 30° sin 45°, y = sin 30°, z = cos 30° cos 45°, and iOS counts the other way.
    #expect(isNear(numbers, SIMD3(0.612372, -0.5, -0.612372)))
  }
}
