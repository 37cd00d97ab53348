import MoMu

/// Checks the sound cards, and which programs use them.
func soundFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "sound"
  let served = e.server.map { [finding($0)] } ?? []
  guard !e.cards.isEmpty else {
    if !served.isEmpty { return served }
    return [
      Finding(
        level: .note, topic: topic, what: "no sound card found",
        why: "programs play to a virtual card, which is silent",
        fix: e.container.map { ["\($0) run --device /dev/snd …, if the host has a sound card"] }
          ?? ["plug one in; if lsusb or lspci shows a card that is missing here, its driver is missing"])
    ]
  }
  var found = served
  for card in e.cards {
    for device in card.devices {
      guard let holder = device.holder else { continue }
      found.append(
        .note(
          topic, "\(card.name(of: device)) is in use by \(holder)",
          why: "other programs cannot open it by that name",
          fix: "share the card: --audio default", "or end that program: \(ending(holder))"))
    }
  }
  let free = e.cards.flatMap { card in
    card.devices.filter { $0.holder == nil && $0.plays }.map { card.name(of: $0) }
  }
  if !free.isEmpty { found.append(.ok(topic, "free sound cards: \(free.joined(separator: ", "))")) }
  return found
}

/// Checks whether the sound server that `--audio default` uses has an output.
private func finding(_ server: SoundServer) -> Finding {
  let chosen = server.sinks.first { $0.isDefault } ?? server.sinks.first
  if let chosen { return .ok("sound", "--audio default plays through \(server.title) on \(chosen.title)") }
  let starting =
    switch server.type {
    case "pipewire": "systemctl --user start pipewire wireplumber"
    case "pulse": "systemctl --user start pulseaudio, or pipewire-pulse if you use PipeWire"
    default: "start \(server.title)"
    }
  return Finding(
    level: .note, topic: "sound",
    what: "--audio default uses \(server.title), which lists no outputs",
    why: "it is not running, or its tools are not installed", fix: [starting])
}

/// Returns the command that ends a program.
///
/// For a sound server, the command also stops the server's sockets; otherwise systemd would restart the server.
private func ending(_ holder: ResourceOwner) -> String {
  switch holder.name {
  case "pipewire", "wireplumber", "pipewire-pulse":
    "systemctl --user stop pipewire.socket pipewire-pulse.socket pipewire wireplumber"
  case "pulseaudio": "systemctl --user stop pulseaudio.socket pulseaudio"
  default: "kill \(holder.process)"
  }
}
