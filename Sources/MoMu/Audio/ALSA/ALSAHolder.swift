import CALSA
import Glibc

/// Finds out who holds a busy card, as far as the kernel says.
enum ALSAHolder {
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
    if let number = Int(text) { return number }
    let index = snd_card_get_index(String(text))
    return index >= 0 ? Int(index) : nil
  }

  /// The first owner in the card's folder of `/proc/asound`.
  static func name(inCard folder: String, processes: String) -> String? {
    for pcm in entries(of: folder) where pcm.hasPrefix("pcm") {
      for sub in entries(of: "\(folder)/\(pcm)") where sub.hasPrefix("sub") {
        guard let status = contents(of: "\(folder)/\(pcm)/\(sub)/status"),
          let line = status.split(separator: "\n").first(where: { $0.hasPrefix("owner_pid") }),
          let owner = line.split(separator: ":").last.map({ $0.filter(\.isNumber) }), !owner.isEmpty
        else { continue }
        // The owner is a thread; its process has the name that people know.
        let group = contents(of: "\(processes)/\(owner)/status")?.split(separator: "\n")
          .first { $0.hasPrefix("Tgid:") }?.filter(\.isNumber)
        let process = group ?? String(owner)
        if let name = contents(of: "\(processes)/\(process)/comm") {
          return "\(name.filter { !$0.isNewline }) (process \(process))"
        }
      }
    }
    return nil
  }

  private static func entries(of folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.sorted()
  }

  /// A small file of `/proc`.
  private static func contents(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
