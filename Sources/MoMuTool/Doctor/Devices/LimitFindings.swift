/// Checks whether the audio thread may have real-time priority and lock its memory.
func limitFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "limits"
  // Root may request any priority, unless a container forbids it; the audio thread reports that itself.
  guard !e.person.isRoot else { return [.ok(topic, "root's audio thread may have any priority")] }
  var found: [Finding] = []
  let joining = e.person.group(named: "audio") == nil ? "sudo groupadd audio" : nil
  let member = e.person.group(named: "audio").map { e.person.active.contains($0.number) } ?? false
  let steps =
    [LimitsFile.installing] + [joining].compactMap { $0 }
    + [member ? "then log out and log in again" : e.person.joining("audio")]
  let needsPriority = e.limits.priority.map { $0 < LimitsFile.priority } ?? false
  if needsPriority && e.hasRtkit {
    found.append(.ok(topic, "rtkit gives the audio thread its real-time priority"))
  } else if let priority = e.limits.priority, needsPriority {
    found.append(
      Finding(
        level: .note, topic: topic,
        what:
          "the audio thread lacks real-time priority (allowed \(priority), needed \(LimitsFile.priority))",
        why: "other programs on this machine may make the sound crackle",
        fix: ["sudo apt install rtkit, which is enough with a desktop", "or, without a desktop:"] + steps))
  }
  if let locked = e.limits.locked, locked < LimitsFile.leastLocked {
    found.append(
      Finding(
        level: .note, topic: topic,
        what: "the audio thread may lock only \(locked / 1024) KiB of memory",
        why: "the sound drops out while swapped memory is read back from the disk", fix: steps))
  }
  return found.isEmpty
    ? [.ok(topic, "the audio thread may have real-time priority and lock its memory")] : found
}
