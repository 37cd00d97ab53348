/// Whether the audio thread may run before others, and keep its memory.
func limitFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "limits"
  // Root's programs may ask for anything, unless a container takes that from them, which the audio thread then says.
  guard !e.person.isRoot else { return [.ok(topic, "root's audio thread may have any priority")] }
  var found: [Finding] = []
  let joining = e.person.group(named: "audio") == nil ? "sudo groupadd audio" : nil
  let member = e.person.group(named: "audio").map { e.person.active.contains($0.number) } ?? false
  let steps =
    [LimitsFile.installing] + [joining].compactMap { $0 }
    + [member ? "then log out, and in again" : e.person.joining("audio")]
  let needsPriority = e.limits.priority.map { $0 < LimitsFile.priority } ?? false
  if needsPriority && e.hasRtkit {
    found.append(.ok(topic, "rtkit gives the audio thread its real-time priority"))
  } else if let priority = e.limits.priority, needsPriority {
    found.append(
      Finding(
        level: .note, topic: topic,
        what:
          "the audio thread may not run before others (real-time priority \(priority), wanted \(LimitsFile.priority))",
        why: "whatever else the machine does may make the sound crackle",
        fix: ["sudo apt install rtkit, which is enough at a desktop", "or, without one:"] + steps))
  }
  if let locked = e.limits.locked, locked < LimitsFile.leastLocked {
    found.append(
      Finding(
        level: .note, topic: topic,
        what: "only \(locked / 1024) KiB of memory may be kept from being swapped out",
        why: "the sound stops for as long as a piece of it is fetched back from the disk", fix: steps))
  }
  return found.isEmpty ? [.ok(topic, "the audio thread may run before others, and keep its memory")] : found
}
