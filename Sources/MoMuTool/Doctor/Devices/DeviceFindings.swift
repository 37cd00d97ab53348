/// What there is to say about devices, and about what this program may have of the machine.
func deviceFindings(_ equipment: DeviceInventory) -> [Finding] {
  let checks = [
    groupFindings, limitFindings, governorFindings, soundFindings, sensorFindings, boardFindings,
  ]
  return checks.flatMap { $0(equipment) }
}
