import Glibc
import MoDSPCore
import MoSensing
import Testing

@Suite("Axes of input devices")
struct EvdevFrameTests {
  /// The readings in g if a device is tilted by 30°: an axis that points to the raised side reads positive.
  ///
  /// SDL_sensor.h: hid-playstation's axes point right, out of the face, towards the player. hid-nintendo's comment:
  /// towards the triggers, left, out of the face. SDL_hidapi_wii.c: −x, z, y of a Wii remote are right, out of the
  /// face, towards the player. A tablet has the device's axes.
  private static let devices:
    [(title: String, axes: @Sendable (_ right: Float, _ top: Float, _ out: Float) -> SIMD3<Float>)] =
      [
        (
          "Sony Interactive Entertainment DualSense Wireless Controller Motion Sensors",
          { SIMD3($0, $2, -$1) }
        ),
        ("Wireless Controller Motion Sensors", { SIMD3($0, $2, -$1) }),
        ("Steam Deck Motion Sensors", { SIMD3($0, $2, -$1) }),
        ("Nintendo Switch Pro Controller IMU", { SIMD3($1, -$0, $2) }),
        ("Nintendo Switch Left Joy-Con (IMU)", { SIMD3($1, -$0, $2) }),
        ("Nintendo Wii Remote Accelerometer", { SIMD3(-$0, -$1, $2) }),
        ("Tablet Accelerometer", { SIMD3($0, $1, $2) }),
      ]

  @Test(
    "every device reads the same when it lies flat, is tipped to the right, or has its top edge up",
    arguments: devices.indices)
  func held(index: Int) {
    let (title, axes) = Self.devices[index]
    let frame = EvdevFrame(title: title)
    let (sine, cosine) = (Float(0.5), Float(0.75).squareRoot())
    for (up, roll, pitch) in [
      (SIMD3<Float>(0, 0, 1), 0, 0), (SIMD3(-sine, 0, cosine), 30, 0), (SIMD3(sine, 0, cosine), -30, 0),
      (SIMD3(0, sine, cosine), 0, 30), (SIMD3(0, -sine, cosine), 0, -30),
    ] as [(SIMD3<Float>, Float, Float)] {
      let tilt = Motion.Tilt(up: frame.turned(axes(up.x, up.y, up.z)))
      #expect(abs(tilt.roll - roll) < 0.01 && abs(tilt.pitch - pitch) < 0.01, "\(title): \(tilt)")
    }
  }

  @Test("no frame mirrors its axes, so that gyroscopes turn in the right direction")
  func turns() {
    for title in Self.devices.map(\.title) {
      let frame = EvdevFrame(title: title)
      let columns = [SIMD3<Float>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].map { frame.turned($0) }
      let (a, b, c) = (columns[0], columns[1], columns[2])
      let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
      #expect((cross * c).sum() == 1, "\(title)")
    }
  }

  @Test("a Motion Plus gives yaw, roll and pitch: SDL's up, towards the player, and away from the right")
  func motionPlus() {
    let frame = EvdevFrame(title: "Nintendo Wii Remote Motion Plus")
    // Towards the player is away from the top edge.
    #expect(frame.turned(SIMD3(1, 0, 0)) == SIMD3(0, 0, 1))
    #expect(frame.turned(SIMD3(0, 1, 0)) == SIMD3(0, -1, 0))
    #expect(frame.turned(SIMD3(0, 0, 1)) == SIMD3(-1, 0, 0))
  }
}
