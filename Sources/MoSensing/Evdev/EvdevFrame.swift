import CEvdev

/// The conversion from the kernel's axes of an input device to the device's own axes.
///
/// The device's own axes are x to the right, y to the top edge, z out of the face.
///
/// The kernel's drivers differ. A tablet's accelerometer has the device's own axes. A pad's top edge is the edge with
/// the triggers; a Wii remote's is the edge that points at the screen. The face is the side with the buttons.
///
/// - Source: PlayStation pads and the Steam Deck: SDL's `SDL_sensor.h`, whose axes (right, up, towards the player) SDL
///   takes from hid-playstation as they are. Switch controllers: the comment in hid-nintendo (towards the triggers,
///   left, up). Wii remote: SDL's `SDL_hidapi_wii.c`, which sends −x, z, y of the remote's accelerometer and −pitch, yaw,
///   roll of its Motion Plus as right, up, towards the player.
package struct EvdevFrame: Equatable, Sendable {
  /// The indices of the kernel's axes that are the device's x, y and z.
  package let order: [Int]
  /// The factor, 1 or -1, for each of the device's axes x, y and z.
  package let signs: SIMD3<Float>

  /// Creates the conversion for a device with the name `title` in the kernel.
  package init(title: String) {
    (order, signs) =
      if title.hasSuffix(" Motion Sensors") {
        ([0, 2, 1], SIMD3(1, -1, 1))
      } else if title.hasSuffix(" IMU") || title.hasSuffix(" (IMU)") {
        ([1, 0, 2], SIMD3(-1, 1, 1))
      } else if title.hasSuffix(" Remote Accelerometer") {
        ([0, 1, 2], SIMD3(-1, -1, 1))
      } else if title.hasSuffix(" Remote Motion Plus") {
        ([2, 1, 0], SIMD3(-1, -1, 1))
      } else {
        ([0, 1, 2], SIMD3(1, 1, 1))
      }
  }

  /// Converts a vector from the kernel's axes to the device's own axes.
  package func turned(_ values: SIMD3<Float>) -> SIMD3<Float> {
    signs * SIMD3(values[order[0]], values[order[1]], values[order[2]])
  }
}
