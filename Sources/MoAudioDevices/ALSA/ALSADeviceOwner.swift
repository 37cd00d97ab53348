import CALSA
import Glibc
import MoRuntime

/// Finds the program that uses a busy card, as far as the kernel reports it.
package enum ALSADeviceOwner {
  /// Returns a program that has a PCM of a device's card open, such as `firefox (process 1234)`; nil if unknown.
  static func name(of device: String) -> String? {
    guard let card = card(of: device) ?? card(behind: device) else { return nil }
    return name(inCard: "/proc/asound/card\(card)", processes: "/proc")
  }

  /// Returns the index of the card in a name such as `hw:1,0` or `plughw:CARD=USB,DEV=0`; nil if the name has no card,
  /// such as `default`.
  package static func card(of device: String) -> Int? {
    let parts = device.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let first = parts[1].split(separator: ",").first else { return nil }
    let text = first.hasPrefix("CARD=") ? first.dropFirst(5) : first
    if let number = wholeNumber(text) { return number }
    let index = snd_card_get_index(String(text))
    return index >= 0 ? Int(index) : nil
  }

  /// Returns the index of the card to which a name such as `default` leads; nil if it leads to no card.
  private static func card(behind device: String) -> Int? {
    guard case .card(let text)? = ALSADefault.destination(of: device) else { return nil }
    let index = snd_card_get_index(text)
    return index >= 0 ? Int(index) : nil
  }

  /// Returns the first program that has a PCM of a card open, such as `firefox (process 1234)`; nil for none.
  ///
  /// - Parameters:
  ///   - folder: the folder of the card, such as `/proc/asound/card0`.
  ///   - processes: the folder of the processes, `/proc`.
  package static func name(inCard folder: String, processes: String) -> String? {
    for pcm in SystemFiles.names(in: folder) where pcm.hasPrefix("pcm") {
      if let process = process(inPCM: "\(folder)/\(pcm)", processes: processes),
        let name = SystemFiles.line(of: "\(processes)/\(process)/comm")
      {
        return "\(name) (process \(process))"
      }
    }
    return nil
  }

  /// Returns the ID of the process that has a PCM open; nil for none.
  ///
  /// - Parameters:
  ///   - folder: the folder of the PCM, such as `/proc/asound/card0/pcm0p`.
  ///   - processes: the folder of the processes, `/proc`.
  package static func process(inPCM folder: String, processes: String) -> Int? {
    for sub in SystemFiles.names(in: folder) where sub.hasPrefix("sub") {
      guard let owner = number("owner_pid", in: "\(folder)/\(sub)/status") else { continue }
      // The owner is a thread; the process has the familiar name.
      return number("Tgid", in: "\(processes)/\(owner)/status") ?? owner
    }
    return nil
  }

  /// Reads a file, and returns the number in the first line that begins with `field`, such as 1234 in `Tgid:   1234`;
  /// nil if there is no such line.
  private static func number(_ field: String, in path: String) -> Int? {
    let line = WholeFile.text(of: path)?.split(separator: "\n").first { $0.hasPrefix(field) }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }
}
