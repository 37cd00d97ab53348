/// An error in the options of playing an instrument; its text says what to type.
package enum PlayError: Error, CustomStringConvertible, Equatable {
  case badSetting
  case badTempo
  case missing(option: String, value: String)
  case tapeAndAccel
  /// A room was given to a program that plays alone.
  case alone
  /// An option has a wrong value.
  case refused(option: String, value: String, wants: String)

  package var description: String {
    switch self {
    case .badSetting: "it is a parameter and a number, such as brightness=0.8"
    case .badTempo: "it is a number of beats a minute from 20 to 999"
    case .alone:
      "this program plays alone, and not in a room: let it import MoOrchestra and call MoApp.playTogether in place of "
        + "MoApp.play, or play the instrument's file: momu run FILE --room NAME"
    case .missing(let option, let value): "\(option) needs a value: \(option) \(value)"
    case .tapeAndAccel: "--tape FILE means --accel tape:FILE: give one of them"
    case .refused(let option, let value, let wants): "\(option) is \"\(value)\", but \(wants)"
    }
  }
}
