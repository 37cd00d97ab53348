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
