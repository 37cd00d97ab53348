import ArgumentParser

/// `momu devices`: lists this machine's devices by the names that options accept.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List sound cards, input devices, sensors and serial ports.",
    discussion: """
      --audio, the sensor options, MoSensor and a rig's `source` accept these names. Put a name with spaces in quotes. \
      After each input device, the list names the sensors that can read it. If you may not use a device, the list \
      shows the command that helps. This command changes nothing.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let equipment = SystemReader().equipment()
    show(json ? DeviceJSON.text(equipment) : DeviceText.text(equipment))
  }
}
