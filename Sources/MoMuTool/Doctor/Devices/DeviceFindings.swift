/// Returns the findings about devices, and about the system's limits for the audio thread.
func deviceFindings(_ equipment: DeviceInventory) -> [Finding] {
  let checks = [
    groupFindings, limitFindings, governorFindings, soundFindings, midiFindings, sensorFindings,
    boardFindings,
  ]
  return checks.flatMap { $0(equipment) }
}
