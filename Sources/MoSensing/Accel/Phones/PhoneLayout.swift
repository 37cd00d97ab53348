import MoDSPCore
import MoOSC

/// The layout in which a phone app sends an accelerometer's readings by OSC.
///
/// | layout | address and types | unit | lying flat, face up | gravity |
/// |---|---|---|---|---|
/// | TouchOSC, iOS | `/accxyz ,fff` | g | (0, 0, −1) | included |
/// | TouchOSC, Android | `/accxyz ,fff` | m/s² | (0, 0, 9.81) | included |
/// | ZIG SIM, iOS | `/ZIGSIM/ID/accel ,fff` and `/ZIGSIM/ID/gravity ,fff`, bundled | g | (0, 0, 0) and (0, 0, −1) | separate |
/// | ZIG SIM, Android | `/ID/accel`, `/ID/gravity`, of type f or d | found from gravity | (0, 0, 0) and (0, 0, 1) | separate |
/// | Sensors2OSC | `/accelerometer ,fff` | m/s² | (0, 0, 9.81) | included |
/// | Sensors2OSC | `/linearacceleration ,fff` and `/gravity ,fff` | m/s² | (0, 0, 0) and (0, 0, 9.81) | separate |
/// | Sensors2OSC up to 0.2 | `/accelerometer/X ,f`, then `Y`, `Z`; the other two alike | m/s² | as above | as above |
/// | MoMu | `/momu/accel ,fff`, as on a tape | g | (0, 0, 1) | included |
///
/// iOS measures gravity. Android measures the force that holds the phone up, so its signs are opposite. ZIG SIM also
/// sends `/ID/deviceinfo ,ssssii`, whose third value is `ios` or `android`.
///
/// - Source: TouchOSC: its manual's *Script, Global Functions* (`getAccelerometer`: −8.925 0.134 4.078, a vector
///   of length 9.81, and all zeros without a sensor); rahji/oscxyz for the address and types; messages of iPhones
///   kept in people's Max patches, such as `/accxyz 0.049576 -0.034637 -0.997223`.
/// - Source: ZIG SIM: 1-10/ZIGSIMPlus_iOS_Public 3dd1d58 (`MotionService`, `ServiceManager`), which sends
///   Core Motion's `userAcceleration` and `gravity` unchanged; its site's *Motion Data* for the unit and the
///   address without `ZIGSIM`.
/// - Source: Sensors2OSC: SensorApps/Sensors2OSC a84591c (`Parameters`, `OscHandler`), before 31f7ce0 for the form with
///   one address per axis, its site's example `/acceleration ,fff 0.001 -0.001 9.790`; Android's `SensorEvent` for unit
///   and signs.
/// - Thread: any.
public enum PhoneLayout: String, CaseIterable, Sendable {
  /// TouchOSC, by Hexler: iOS and Android.
  case touchOSC = "touchosc"
  /// ZIG SIM, by 1→10: iOS and Android.
  case zigSim = "zigsim"
  /// Sensors2OSC, by Thomas Mayer and Antonio Deusany de Carvalho Junior: Android.
  case sensors2OSC = "sensors2osc"
  /// The layout of MoMu itself, also used on MoMu's tapes.
  case momu = "momu"

  /// Creates a layout from the name that options and environment variables use, such as `zigsim`.
  ///
  /// - Throws: `AccelError.unknownLayout`.
  public init(named name: String) throws(AccelError) {
    guard let layout = PhoneLayout(rawValue: name.lowercased()) else { throw .unknownLayout(name) }
    self = layout
  }

  /// The app's name.
  public var title: String {
    switch self {
    case .touchOSC: "TouchOSC"
    case .zigSim: "ZIG SIM"
    case .sensors2OSC: "Sensors2OSC"
    case .momu: "MoMu"
    }
  }

  /// One g in m/s²: standard gravity, as the third CGPM fixed it in 1901.
  static let metresPerG: Float = 9.80665
}

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
