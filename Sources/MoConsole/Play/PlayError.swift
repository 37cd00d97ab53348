/// An error in the options for playing an instrument; its text says what to type.
package enum PlayError: Error, CustomStringConvertible, Equatable {
  case badSetting
  case badTempo
  case missing(option: String, value: String)
  case tapeAndAccel
  /// The option `--room` was given to a program that cannot join a room.
  case alone
  /// The value of an option is not valid; `wants` describes the valid values.
  case refused(option: String, value: String, wants: String)

  package var description: String {
    switch self {
    case .badSetting: "must be NAME=NUMBER, such as brightness=0.8"
    case .badTempo: "must be 20 to 999 beats per minute"
    case .alone:
      "this program cannot join a room: import MoConsole and call MoApp.playTogether instead of MoApp.play, or play "
        + "the instrument's file: momu run FILE --room NAME"
    case .missing(let option, let value): "\(option) needs a value: \(option) \(value)"
    case .tapeAndAccel: "--tape FILE is short for --accel tape:FILE: type only one of them"
    case .refused(let option, let value, let wants): "\(option) is \"\(value)\", but \(wants)"
    }
  }
}
