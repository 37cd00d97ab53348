import CALSA
import Glibc
import MoRuntime

/// Finds out who holds a busy card, as far as the kernel says.
package enum ALSADeviceOwner {
  /// The program that has a PCM of the card open; nil where that cannot be told.
  static func name(of device: String) -> String? {
    guard let card = card(of: device) else { return nil }
    return name(inCard: "/proc/asound/card\(card)", processes: "/proc")
  }

  /// The card of names such as `hw:1,0`, `plughw:CARD=USB,DEV=0`; nil where the name goes by a configuration.
  static func card(of device: String) -> Int? {
    let parts = device.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let first = parts[1].split(separator: ",").first else { return nil }
    let text = first.hasPrefix("CARD=") ? first.dropFirst(5) : first
    if let number = wholeNumber(text) { return number }
    let index = snd_card_get_index(String(text))
    return index >= 0 ? Int(index) : nil
  }

  /// The first owner in the card's folder of `/proc/asound`.
  static func name(inCard folder: String, processes: String) -> String? {
    for pcm in SystemFiles.names(in: folder) where pcm.hasPrefix("pcm") {
      if let process = process(inPCM: "\(folder)/\(pcm)", processes: processes),
        let name = SystemFiles.line(of: "\(processes)/\(process)/comm")
      {
        return "\(name) (process \(process))"
      }
    }
    return nil
  }

  /// The process that has a PCM open, the first owner in its folder, such as `/proc/asound/card0/pcm0p`; nil for none.
  package static func process(inPCM folder: String, processes: String) -> Int? {
    for sub in SystemFiles.names(in: folder) where sub.hasPrefix("sub") {
      guard let owner = number("owner_pid", in: "\(folder)/\(sub)/status") else { continue }
      // The owner is a thread; its process has the name that people know.
      return number("Tgid", in: "\(processes)/\(owner)/status") ?? owner
    }
    return nil
  }

  /// What stands behind the colon of a line such as `Tgid:   1234`; nil where there is no such number.
  private static func number(_ field: String, in path: String) -> Int? {
    let line = SystemFiles.text(of: path)?.split(separator: "\n").first { $0.hasPrefix(field) }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }
}
