import MoSensing

/// Returns the number of the pad, 0 … 15, that a button plays.
///
/// The buttons of a game pad play the pads in the order of `gamePad`. The keys of a keyboard play the pads by the
/// position of the keys. The row from A to ; plays the pads 0 to 9, and the row from Q to Y plays the pads 10 to 15.
/// Any other button plays the pad whose number is the button's code modulo 16.
func pad(of button: Button) -> Int {
  let name = button.name
  return gamePad.firstIndex(of: name) ?? keyboard.firstIndex(of: name) ?? Int(button.code) % 16
}

private let gamePad = [
  "BTN_SOUTH", "BTN_EAST", "BTN_WEST", "BTN_NORTH", "BTN_TL", "BTN_TR", "BTN_TL2", "BTN_TR2",
  "BTN_DPAD_UP", "BTN_DPAD_RIGHT", "BTN_DPAD_DOWN", "BTN_DPAD_LEFT", "BTN_SELECT", "BTN_START", "BTN_THUMBL",
  "BTN_THUMBR",
]

private let keyboard = [
  "KEY_A", "KEY_S", "KEY_D", "KEY_F", "KEY_G", "KEY_H", "KEY_J", "KEY_K", "KEY_L", "KEY_SEMICOLON",
  "KEY_Q", "KEY_W", "KEY_E", "KEY_R", "KEY_T", "KEY_Y",
]
