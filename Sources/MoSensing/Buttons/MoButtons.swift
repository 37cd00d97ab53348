import CEvdev
import MoCore
import MoRuntime

/// The buttons: keys, buttons of game pads, and pedals.
///
/// ```swift
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
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` if the name is unknown, or the source cannot be opened.
  /// - Thread: the callback runs on the `mo-input` thread.
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
    option: "buttons", noun: "a device with buttons",
    rows: [
      EvdevButtons.row, KeyedSource.row("the terminal's keys") { KeyedButtons() }, NetReadings.row(),
      SensorRow(
        "sim", forms: ["sim:steps"], worksOffline: true,
        devices: {
          [NamedDevice(name: "sim:steps", about: "a simulated player, four buttons in turn", isReal: false)]
        },
        open: { name, opening in name == "steps" ? OpenSource(steps(opening)) : nil }),
      TapeSource.row,
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
