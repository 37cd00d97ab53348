import MoDSPCore
import MoOSC

extension PhoneLayout {
  /// Returns a motion in the layout of this app; if the app's layouts on iOS and Android differ, in the layout for iOS.
  ///
  /// - Parameters:
  ///   - motion: the motion to send: its acceleration, and for ZIG SIM its tilt, which gives the direction of gravity.
  ///   - device: the name that ZIG SIM puts into its addresses to distinguish senders; without `/` and spaces.
  public func packet(_ motion: Motion, device: String = "momu") -> OSCPacket {
    let reading = SIMD3(motion.x, motion.y, motion.z)
    switch self {
    case .touchOSC: return .message(message("/accxyz", -reading))
    case .sensors2OSC: return .message(message("/accelerometer", reading * PhoneLayout.metresPerG))
    case .momu: return .message(message(AccelReading.address, reading))
    case .zigSim:
      let gravity = motion.tilt.up
      return .bundle(
        OSCBundle(
          .immediate,
          messages: [
            OSCMessage(
              "/\(device)/deviceinfo", [.string("MoMu"), .string(device), .string("ios"), .string(""), 0, 0]),
            message("/ZIGSIM/\(device)/accel", gravity - reading),
            message("/ZIGSIM/\(device)/gravity", -gravity),
          ]))
    }
  }

  private func message(_ address: String, _ vector: SIMD3<Float>) -> OSCMessage {
    OSCMessage(address, [.float(vector.x), .float(vector.y), .float(vector.z)])
  }
}
