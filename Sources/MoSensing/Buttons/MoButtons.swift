import CEvdev
import MoCore
import MoOSC
import MoRuntime

/// The buttons: keys, buttons of game pads, and pedals.
///
/// ```swift
/// import MoInstruments
///
/// let drum = try MoAudio.play(DrumKit())
/// let gate = MoParam()
/// try MoButtons.addCallback { button in if button.isPressed { drum.strike(0.8, at: button.time) } }
/// try MoButtons.on("BTN_SOUTH") { isPressed in gate.value = isPressed ? 1 : 0 }
/// ```
///
/// The option `--buttons` selects the source: `evdev:PATH`, optionally with `?grab`, so that no other program gets a
/// keyboard's keys; `keys` for the terminal's keys; `net`, `sim:steps` or `tape:FILE`. By default, a connected pad or
/// pedal is read. A keyboard is never read by default. If there is no pad or pedal and the program runs in a
/// terminal, the terminal's keys stand in: `KEY_A`, `KEY_1`, `KEY_SPACE`.
public enum MoButtons: SensorFace {
  /// The server that opens the sensor, and delivers its readings to callbacks.
  public static let server = SensorServer<Button>(.buttons)

  /// Calls `callback` when a button, such as `BTN_SOUTH`, `KEY_A` or `BTN_DPAD_UP`, is pressed or released.
  ///
  /// The callback gets no time; the callback of `addCallback` gets it as `button.time`.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` if the name is unknown, or the source cannot be opened; `NetError` for the source `net`.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread; for `update` and `stop()`, on
  ///   their caller's thread.
  @discardableResult
  public static func on(_ name: String, _ callback: @escaping @Sendable (Bool) -> Void) throws -> MoToken {
    guard let code = Button.code(name) else {
      throw SensorError.other(
        "no button is called \"\(name)\": use a name of linux/input-event-codes.h, such as BTN_SOUTH or KEY_A"
      )
    }
    return try addCallback { if $0.code == code { callback($0.isPressed) } }
  }
}

extension SensorKind<Button> {
  package static let buttons = SensorKind(
    option: "buttons", noun: "a device with buttons", nature: .events, curves: .named,
    rows: [
      EvdevButtons.row, KeyedSource.row("the terminal's keys") { KeyedButtons() }, NetReadings.row(),
      .simulated("steps", "a simulated player, four buttons in turn", steps), TapeSource.row,
    ],
    standIn: standIn(
      missing: "pad or pedal", does: "presses four buttons in turn",
      keys: KeyedSource.standIn("letters and digits are buttons") { KeyedButtons() }, steps))

  /// A player that presses one of four buttons in turn every 0.25 s, and holds the button for 0.125 s.
  private static let steps: @Sendable (SensorOpenContext<Button>) -> any EventSource = { opening in
    let codes = [BTN_SOUTH, BTN_EAST, BTN_NORTH, BTN_WEST]
    return SimulatedSource("steps", start: opening.run.clock.now, rate: 8, deliver: opening.deliver) {
      seconds, time in
      let step = Int((seconds * 8).rounded())
      return [Button(time: time, code: UInt16(codes[step / 2 % 4]), isPressed: step % 2 == 0)]
    }
  }
}

/// A press or release of a key, a pad's button or a pedal.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes, except for `name`.
public struct Button: SensorReading {
  /// The OSC address on tapes and in the network; arguments `,si`: the name, 1 (pressed) or 0 (released).
  public static let address = "/momu/button"

  /// The value before the first measurement: a released button of code 0.
  public static var initial: Self { Self(time: .zero, code: 0, isPressed: false) }

  /// Whether readings may be skipped: false, since a press without its release would never end.
  public static let canBeThinned = false

  /// The release that ends a press; nil for a release.
  public var ending: Button? { isPressed ? Button(time: time, code: code, isPressed: false) : nil }

  /// The time at which the kernel registered the press or release.
  public var time: HostTime
  /// The kernel's number of the button (linux/input-event-codes.h).
  public var code: UInt16
  /// Whether the button was pressed; false if it was released.
  public var isPressed: Bool

  /// Creates a button from the kernel's number.
  public init(time: HostTime, code: UInt16, isPressed: Bool) {
    self.time = time
    self.code = code
    self.isPressed = isPressed
  }

  /// The kernel's name of the button, such as `BTN_SOUTH` or `KEY_A`; its number if the button has no name.
  public var name: String {
    guard let name = libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)) else { return "\(code)" }
    return String(cString: name)
  }

  /// Returns the kernel's number for a name, or for a number as text; nil if the name is unknown.
  public static func code(_ name: String) -> UInt16? {
    let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
    return code >= 0 ? UInt16(code) : UInt16(name)
  }

  /// Creates the reading from OSC arguments of types `,si`; nil if they are not a known button and a number.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard arguments.count == 2, let name = arguments[0].text, let code = Button.code(name) else { return nil }
    switch arguments[1] {
    case .bool(let isPressed): self.init(time: time, code: code, isPressed: isPressed)
    default:
      guard let value = arguments[1].number else { return nil }
      self.init(time: time, code: code, isPressed: value != 0)
    }
  }

  /// The reading as OSC arguments of types `,si`.
  public var arguments: [OSCArgument] { [.string(name), .int32(isPressed ? 1 : 0)] }
}
