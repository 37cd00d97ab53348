import MoMu

/// Whether there is a sound card, and who has it.
func soundFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "sound"
  let served = e.server.map { [finding($0)] } ?? []
  guard !e.cards.isEmpty else {
    if !served.isEmpty { return served }
    return [
      Finding(
        level: .note, topic: topic, what: "no sound card is here",
        why: "programs play to a virtual one, which nobody hears",
        fix: e.container.map { ["\($0) run --device /dev/snd …, where the host has one"] }
          ?? ["plug one in; one that lsusb or lspci shows and this does not lacks its driver"])
    ]
  }
  var found = served
  for card in e.cards {
    for device in card.devices {
      guard let holder = device.holder else { continue }
      found.append(
        .note(
          topic, "\(card.name(of: device)) is in use by \(holder)",
          why: "by that name nobody else can open it meanwhile",
          fix: "play beside it: --audio default", "or end it: \(ending(holder))"))
    }
  }
  let free = e.cards.flatMap { card in
    card.devices.filter { $0.holder == nil && $0.plays }.map { card.name(of: $0) }
  }
  if !free.isEmpty { found.append(.ok(topic, "free to play on: \(free.joined(separator: ", "))")) }
  return found
}

/// Whether the server that `default` leads to has anything to play on.
private func finding(_ server: SoundServer) -> Finding {
  let chosen = server.sinks.first { $0.isDefault } ?? server.sinks.first
  if let chosen { return .ok("sound", "--audio default plays through \(server.title), on \(chosen.title)") }
  let starting =
    switch server.type {
    case "pipewire": "systemctl --user start pipewire wireplumber"
    case "pulse": "systemctl --user start pulseaudio, or pipewire-pulse where PipeWire plays"
    default: "start \(server.title)"
    }
  return Finding(
    level: .note, topic: "sound",
    what: "--audio default leads to \(server.title), which names nothing to play on",
    why: "it does not run, or its tools are not installed", fix: [starting])
}

/// What ends who has a card: sound servers are started again by systemd, unless their sockets are stopped, too.
private func ending(_ holder: ResourceOwner) -> String {
  switch holder.name {
  case "pipewire", "wireplumber", "pipewire-pulse":
    "systemctl --user stop pipewire.socket pipewire-pulse.socket pipewire wireplumber"
  case "pulseaudio": "systemctl --user stop pulseaudio.socket pulseaudio"
  default: "kill \(holder.process)"
  }
}
