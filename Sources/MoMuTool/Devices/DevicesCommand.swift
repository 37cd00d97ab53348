import ArgumentParser

/// `momu devices`: what this machine has, by the names that options take.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Show sound cards, input devices, sensors and serial ports by their exact names.",
    discussion: """
      Each name is what --audio, a sensor's option, MoSensor, or a rig's `source` takes; one with spaces stands in \
      quotes on a command line. Behind a device stands which sensors can read it. What may not be used is named with \
      what to type. Changes nothing.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let equipment = SystemReader().equipment()
    show(json ? DeviceJSON.text(equipment) : DeviceText.text(equipment))
  }
}
