/// Whether there is a sound card, and who has it.
func soundFindings(_ e: Equipment) -> [Finding] {
  let topic = "sound"
  guard !e.cards.isEmpty else {
    return [
      Finding(
        level: .note, topic: topic, what: "no sound card is here",
        why: "programs play to a virtual one, which nobody hears",
        fix: e.container.map { ["\($0) run --device /dev/snd …, where the host has one"] }
          ?? ["plug one in; one that lsusb or lspci shows and this does not lacks its driver"])
    ]
  }
  var found: [Finding] = []
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

/// What ends who has a card: sound servers are started again by systemd, unless their sockets are stopped, too.
private func ending(_ holder: Holder) -> String {
  switch holder.name {
  case "pipewire", "wireplumber", "pipewire-pulse":
    "systemctl --user stop pipewire.socket pipewire-pulse.socket pipewire wireplumber"
  case "pulseaudio": "systemctl --user stop pulseaudio.socket pulseaudio"
  default: "kill \(holder.process)"
  }
}
