import CALSA

/// What a name such as `default` leads to, read from ALSA's configuration without opening anything.
enum ALSADefault {
  /// Where sound ends up.
  enum Destination: Equatable {
    /// On a card, by index or id.
    case card(String)
    /// In a sound server, by its plugin's type.
    case server(String)
  }

  /// What `default` leads to, as one word to compare: a card's id and name, or a sound server's type; nil where
  /// it leads nowhere.
  ///
  /// A sound server moves its clients to another card by itself: to it, nothing has changed.
  static func current() -> String? {
    switch destination(of: "default") {
    case .card(let text): ALSADeviceList.card(Int(snd_card_get_index(text)))
    case .server(let type): type
    case nil: nil
    }
  }

  /// Follows a name through the plugins it is made of.
  static func destination(of name: String) -> Destination? {
    momu_alsa_silence()
    var top: OpaquePointer?
    guard snd_config_update_ref(&top) >= 0, let top else { return nil }
    defer { snd_config_unref(top) }
    return destination(of: name, in: top, depth: 0)
  }

  /// Plugins behind which a sound server, and no card, is found.
  private static let servers: Set<String> = ["pulse", "pipewire", "jack", "oss", "bluealsa"]
  /// Names that lead in a circle are not followed for ever.
  private static let deepest = 16

  private static func destination(of name: String, in top: OpaquePointer, depth: Int) -> Destination? {
    guard depth < deepest else { return nil }
    var definition: OpaquePointer?
    guard snd_config_search_definition(top, "pcm", name, &definition) >= 0, let definition else { return nil }
    defer { snd_config_delete(definition) }
    return destination(within: definition, in: top, depth: depth)
  }

  /// Searches a definition, playback before capture, for where it ends.
  private static func destination(
    within node: OpaquePointer, in top: OpaquePointer, depth: Int
  ) -> Destination? {
    if let name = text(of: node) { return destination(of: name, in: top, depth: depth + 1) }
    guard depth < deepest, snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND else { return nil }
    let type = child("type", of: node).flatMap(text(of:))
    if let type, servers.contains(type) { return .server(type) }
    if type == "hw" { return .card(child("card", of: node).flatMap(text(of:)) ?? "0") }
    // The parts that sound goes through; others, such as a volume's control, name cards for other ends.
    for part in ["playback", "slave", "slaves", "pcm", "a", "capture"] {
      if let child = child(part, of: node), let found = destination(within: child, in: top, depth: depth + 1)
      {
        return found
      }
    }
    return nil
  }

  private static func child(_ key: String, of node: OpaquePointer) -> OpaquePointer? {
    var child: OpaquePointer?
    return snd_config_search(node, key, &child) >= 0 ? child : nil
  }

  /// A string, or a whole number as one.
  private static func text(of node: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    if snd_config_get_string(node, &text) >= 0, let text { return String(cString: text) }
    var number = 0
    return snd_config_get_integer(node, &number) >= 0 ? String(number) : nil
  }
}
