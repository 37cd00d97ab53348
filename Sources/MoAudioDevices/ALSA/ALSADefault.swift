import CALSA

/// Finds the card or sound server behind a name such as `default`, in ALSA's configuration, without opening a device.
package enum ALSADefault {
  /// The card or sound server to which a name leads.
  package enum Destination: Equatable {
    /// A card, by index or ID, such as `0` or `PCH`.
    case card(String)
    /// A sound server, by the type of its ALSA plugin, such as `pulse`.
    case server(String)
  }

  /// Returns the target of `default` as a string to compare with later results; nil if `default` leads to no card or
  /// sound server.
  ///
  /// The string is a card's ID and name, or a sound server's type. If a sound server moves its clients to another card,
  /// the string stays the same.
  static func current() -> String? {
    switch destination(of: "default") {
    case .card(let text): ALSADeviceList.card(Int(snd_card_get_index(text)))
    case .server(let type): type
    case nil: nil
    }
  }

  /// Returns the card or sound server to which a name leads through ALSA's plugins; nil for none.
  package static func destination(of name: String) -> Destination? {
    momu_alsa_silence()
    var top: OpaquePointer?
    guard snd_config_update_ref(&top) >= 0, let top else { return nil }
    defer { snd_config_unref(top) }
    return destination(of: name, in: top, depth: 0)
  }

  /// The types of the plugins that lead to a sound server, not to a card.
  private static let servers: Set<String> = ["pulse", "pipewire", "jack", "oss", "bluealsa"]
  /// The largest number of names and nested definitions to follow, since names may refer to each other in a circle.
  private static let deepest = 16

  private static func destination(of name: String, in top: OpaquePointer, depth: Int) -> Destination? {
    guard depth < deepest else { return nil }
    var definition: OpaquePointer?
    guard snd_config_search_definition(top, "pcm", name, &definition) >= 0, let definition else { return nil }
    defer { snd_config_delete(definition) }
    return destination(within: definition, in: top, depth: depth)
  }

  /// Returns the card or sound server to which a definition in ALSA's configuration leads: for playback or, failing
  /// that, for capture.
  ///
  /// The result is nil if the definition leads to neither a card nor a sound server.
  private static func destination(
    within node: OpaquePointer, in top: OpaquePointer, depth: Int
  ) -> Destination? {
    if let name = text(of: node) { return destination(of: name, in: top, depth: depth + 1) }
    guard depth < deepest, snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND else { return nil }
    let type = child("type", of: node).flatMap(text(of:))
    if let type, servers.contains(type) { return .server(type) }
    if type == "hw" { return .card(child("card", of: node).flatMap(text(of:)) ?? "0") }
    // The parts through which sound passes; others, such as a volume control, name cards for other purposes.
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

  /// Returns the value of a node of the configuration as text; nil if the value is neither a string nor an integer.
  private static func text(of node: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    if snd_config_get_string(node, &text) >= 0, let text { return String(cString: text) }
    var number = 0
    return snd_config_get_integer(node, &number) >= 0 ? String(number) : nil
  }
}
