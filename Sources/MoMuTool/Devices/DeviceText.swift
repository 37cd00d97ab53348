import MoMu
import MoRuntime

/// The text output of `momu devices`.
enum DeviceText {
  static func text(_ equipment: DeviceInventory) -> String {
    let person = equipment.person
    let cards = equipment.cards.flatMap { card in card.devices.map { row(card, $0, person) } }
    let sections = [
      section(
        "Sound (--audio):",
        served(equipment) + cards,
        none: "no sound card: use --audio virtual to play silently, or --audio wav:FILE to write a file"),
      section(
        "Input devices (evdev):", equipment.inputs.map { row($0, person) },
        none: "no input device: a phone can replace it (--accel net, Docs/Phones.md)"),
      section(
        "Sensors of Industrial I/O (iio):", equipment.sensors.map(row), none: "none"),
      midi(equipment),
      section(
        "Serial ports (MoSensor, and [sensor] of a rig):", equipment.ports.map { row($0, person) },
        none: "none: plug a board in"),
    ]
    return sections.joined(separator: "\n")
  }

  /// Returns the rows for the device `default` and for the outputs of the sound server.
  ///
  /// Without a sound server, the only row is for `default`; without a server and a sound card, there are no rows.
  private static func served(_ equipment: DeviceInventory) -> [Row] {
    guard let server = equipment.server else {
      return equipment.cards.isEmpty ? [] : [Row(name: "default", about: "the system's choice", advice: nil)]
    }
    return server.devices().map { Row(name: $0.name, about: $0.about, advice: nil) }
  }

  private static func midi(_ equipment: DeviceInventory) -> String {
    let advice = equipment.midi?.advice(for: equipment.person)
    let rows = (equipment.midi?.ports ?? []).map { port in
      let ways = [port.receives ? "out" : nil, port.sends ? "in" : nil].compactMap { $0 }.joined(
        separator: ", ")
      return Row(
        name: port.fullName,
        about:
          "\(port.isDevice ? "a device" : "a program") (\(ways)), \(port.address.client):\(port.address.port)",
        advice: advice)
    }
    return section(
      "MIDI (--midi, --midi-out):", rows,
      none: equipment.midi == nil
        ? "no sequencer: sudo modprobe snd-seq" : advice ?? "none: plug a keyboard in")
  }

  private struct Row {
    var name: String
    var about: String
    /// The reason why the device cannot be used, and the command that helps; nil if the device can be used.
    var advice: String?
  }

  private static func section(_ title: String, _ rows: [Row], none: String) -> String {
    guard !rows.isEmpty else { return "\(title)\n  (\(none))\n" }
    // A very long name must not push the other descriptions out of sight.
    let width = rows.map(\.name.count).filter { $0 <= 48 }.max() ?? 0
    let lines = rows.map { row in
      "  \(row.name.padded(to: width))  \(row.about)\n" + (row.advice.map { "    \($0)\n" } ?? "")
    }
    return "\(title)\n" + lines.joined()
  }

  private static func row(_ card: SoundCard, _ device: PCMDevice, _ person: UserAccount) -> Row {
    let ways = [device.plays ? "out" : nil, device.records ? "in" : nil].compactMap { $0 }
    let held = device.holder.map { "; in use by \($0)" } ?? ""
    return Row(
      name: card.name(of: device),
      about: "\(card.title), \(device.title) (\(ways.joined(separator: ", ")))\(held)",
      advice: device.advice(card, for: person))
  }

  private static func row(_ device: InputDevice, _ person: UserAccount) -> Row {
    let uses = uses(device, beside: device.rumbles ? ["rumble"] : [])
    return Row(name: device.name, about: "\(device.path): \(uses)", advice: device.advice(for: person))
  }

  private static func row(_ chip: SensorChip) -> Row {
    Row(name: chip.name, about: "iio:\(chip.number): \(uses(chip))", advice: chip.advice)
  }

  /// Returns the purposes for which MoMu can read a device, such as `accel`; for the purpose `sensor`, also the
  /// channels.
  ///
  /// An example is `accel, sensor ABS_X ABS_Y`.
  ///
  /// - Parameter beside: further purposes, such as `rumble`.
  private static func uses(_ device: some SensingDevice, beside: [String] = []) -> String {
    let channels = device.channels.isEmpty ? [] : ["sensor \(device.channels.joined(separator: " "))"]
    let uses = device.uses.filter { $0 != "sensor" } + channels + beside
    return uses.isEmpty ? "nothing that MoMu reads" : uses.joined(separator: ", ")
  }

  private static func row(_ port: SerialPort, _ person: UserAccount) -> Row {
    let words = [port.link == nil ? nil : port.path, port.title].compactMap { $0 }
    let held = port.holder.map { ["in use by \($0)"] } ?? []
    return Row(
      name: port.name, about: ((words.isEmpty ? ["a serial port"] : words) + held).joined(separator: ", "),
      advice: port.advice(for: person))
  }
}
