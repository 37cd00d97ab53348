import CALSA

/// What `default` leads to, read from ALSA's configuration without opening anything.
enum ALSADefault {
  /// A card as its id and name, or a sound server as its plugin's type; nil where `default` leads nowhere.
  ///
  /// A sound server moves its clients to another card by itself: to it, nothing has changed.
  static func current() -> String? {
    momu_alsa_silence()
    var top: OpaquePointer?
    guard snd_config_update_ref(&top) >= 0, let top else { return nil }
    defer { snd_config_unref(top) }
    var definition: OpaquePointer?
    guard snd_config_search_definition(top, "pcm", "default", &definition) >= 0, let definition else {
      return nil
    }
    defer { snd_config_delete(definition) }
    guard let end = destination(in: definition) else { return nil }
    guard case .card(let text) = end else {
      if case .server(let type) = end { return type }
      return nil
    }
    let index = snd_card_get_index(text)
    return ALSADeviceList.card(Int(index))
  }

  private enum Destination {
    case card(String)
    case server(String)
  }

  /// Plugins behind which a sound server, and no card, is found.
  private static let servers: Set<String> = ["pulse", "pipewire", "jack", "oss", "bluealsa"]

  /// Searches a definition, playback before capture, for where it ends.
  private static func destination(in node: OpaquePointer) -> Destination? {
    guard snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND else { return nil }
    if let type = text(of: "type", in: node), servers.contains(type) { return .server(type) }
    if let card = text(of: "card", in: node) { return .card(card) }
    var children: [(name: String, node: OpaquePointer)] = []
    var position = snd_config_iterator_first(node)
    while let here = position, here != snd_config_iterator_end(node) {
      if let child = snd_config_iterator_entry(here) {
        var name: UnsafePointer<CChar>?
        snd_config_get_id(child, &name)
        children.append((name.map { String(cString: $0) } ?? "", child))
      }
      position = snd_config_iterator_next(here)
    }
    // A volume control or a hint names a card too, but not where the sound goes.
    for child in children.sorted(by: { $0.name > $1.name })
    where child.name != "control" && child.name != "hint" {
      if let found = destination(in: child.node) { return found }
    }
    return nil
  }

  private static func text(of key: String, in node: OpaquePointer) -> String? {
    var child: OpaquePointer?
    guard snd_config_search(node, key, &child) >= 0, let child else { return nil }
    var text: UnsafePointer<CChar>?
    if snd_config_get_string(child, &text) >= 0, let text { return String(cString: text) }
    var number = 0
    if snd_config_get_integer(child, &number) >= 0 { return String(number) }
    return nil
  }
}
