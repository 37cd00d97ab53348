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

/// The output of `momu doctor --limits`: real-time priority and locked memory for the group audio.
enum LimitsFile {
  static let path = "/etc/security/limits.d/60-momu.conf"

  /// The command that installs the limits file.
  static let installing = "momu doctor --limits | sudo tee \(path)"

  /// The real-time priority that the audio thread requests, and the memory that the file lets a program lock, in KiB.
  ///
  /// The audio thread locks its stack and its buffers.
  static let (priority, lockedKiB) = (4, 65_536)

  /// The number of bytes that the audio thread must at least be able to lock: 4 MiB.
  static let leastLocked = 4 << 20

  static let text = """
    # MoMu: the group audio may use real-time priority and lock memory.
    # sudo tee /etc/security/limits.d/60-momu.conf, then log out and log in again.
    @audio - rtprio 95
    @audio - memlock \(lockedKiB)

    """
}

/// Checks whether the governor of the processor's frequency lets the processor run fast enough for each block of sound.
func governorFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "governor"
  guard let governor = e.governors.first else { return [] }
  let all = Set(e.governors)
  let fix =
    "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor (until the next start)"
  // With these drivers, "powersave" means that the processor itself chooses its frequency, and it chooses well.
  let choosesItself = ["intel_pstate", "amd-pstate-epp"].contains(e.governorDriver ?? "")
  if all.contains("powersave"), !choosesItself {
    return [
      .note(
        topic, "the processor runs at its lowest speed (powersave)",
        why: "an instrument that plays well at full speed drops blocks at this speed", fix: fix)
    ]
  }
  if !all.isDisjoint(with: ["ondemand", "conservative"]) {
    return [
      .note(
        topic,
        "the processor's speed follows the load with a delay (\(all.sorted().joined(separator: ", ")))",
        why: "when many notes start together, it is too slow at first", fix: fix)
    ]
  }
  return [
    .ok(
      topic,
      "the processor's speed is chosen by \(all.count == 1 ? governor : all.sorted().joined(separator: ", "))"
    )
  ]
}
