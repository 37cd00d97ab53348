import ArgumentParser
import MoMu
import MoRuntime

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
    let inventory = SystemReader().inventory()
    show(json ? DeviceJSON.text(inventory) : DeviceText.text(inventory))
  }
}

/// The text output of `momu devices`.
enum DeviceText {
  static func text(_ inventory: DeviceInventory) -> String {
    let person = inventory.person
    let cards = inventory.cards.flatMap { card in card.devices.map { row(card, $0, person) } }
    let sections = [
      section(
        "Sound (--audio):",
        served(inventory) + cards,
        none: "no sound card: use --audio virtual to play silently, or --audio wav:FILE to write a file"),
      section(
        "Input devices (evdev):", inventory.inputs.map { row($0, person) },
        none: "no input device: a phone can replace it (--accel net, Docs/Phones.md)"),
      section(
        "Sensors of Industrial I/O (iio):", inventory.sensors.map(row), none: "none"),
      midi(inventory),
      section(
        "Serial ports (MoSensor, and [sensor] of a rig):", inventory.ports.map { row($0, person) },
        none: "none: plug a board in"),
    ]
    return sections.joined(separator: "\n")
  }

  /// Returns the rows for the device `default` and for the outputs of the sound server.
  ///
  /// Without a sound server, the only row is for `default`; without a server and a sound card, there are no rows.
  private static func served(_ inventory: DeviceInventory) -> [Row] {
    guard let server = inventory.server else {
      return inventory.cards.isEmpty ? [] : [Row(name: "default", about: "the system's choice", advice: nil)]
    }
    return server.devices().map { Row(name: $0.name, about: $0.about, advice: nil) }
  }

  private static func midi(_ inventory: DeviceInventory) -> String {
    let advice = inventory.midi?.advice(for: inventory.person)
    let rows = (inventory.midi?.ports ?? []).map { port in
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
      none: inventory.midi == nil
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
    let rows = rows.map {
      Row(name: $0.name.printable, about: $0.about.printable, advice: $0.advice?.printable)
    }
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

  private static func row(_ port: SerialDevice, _ person: UserAccount) -> Row {
    let words = [port.link == nil ? nil : port.path, port.title].compactMap { $0 }
    let held = port.holder.map { ["in use by \($0)"] } ?? []
    return Row(
      name: port.name, about: ((words.isEmpty ? ["a serial port"] : words) + held).joined(separator: ", "),
      advice: port.advice(for: person))
  }
}

/// The JSON output of `momu devices`: one object with a list for each kind of device.
enum DeviceJSON {
  static func text(_ inventory: DeviceInventory) -> String {
    let person = inventory.person
    let cards = inventory.cards.flatMap { card in
      card.devices.map { device in
        object(
          card.name(of: device), title: "\(card.title), \(device.title)",
          [
            ("plays", .bool(device.plays)), ("records", .bool(device.records)),
            ("heldBy", device.holder.map { .text($0.name) } ?? .null),
          ], device.advice(card, for: person))
      }
    }
    let served = (inventory.server?.devices() ?? []).map { device in
      object(device.name, title: device.about, [("plays", .bool(true)), ("heldBy", .null)], nil)
    }
    let inputs = inventory.inputs.map { device in
      object(device, beside: device.rumbles ? ["rumble"] : [], device.advice(for: person))
    }
    let chips = inventory.sensors.map { chip in object(chip, chip.advice) }
    let ports = inventory.ports.map { port in
      object(
        port.name, title: port.title ?? "",
        [("path", .text(port.path)), ("heldBy", port.holder.map { .text($0.name) } ?? .null)],
        port.advice(for: person))
    }
    let advice = inventory.midi?.advice(for: person)
    let midi = (inventory.midi?.ports ?? []).map { midi in
      object(
        midi.fullName, title: midi.client,
        [
          ("client", .integer(Int64(midi.address.client))), ("port", .integer(Int64(midi.address.port))),
          ("device", .bool(midi.isDevice)), ("in", .bool(midi.sends)), ("out", .bool(midi.receives)),
        ], advice)
    }
    return JSONValue.object([
      ("audio", .list(served + cards)), ("input", .list(inputs)), ("iio", .list(chips)),
      ("serial", .list(ports)), ("midi", .list(midi)),
    ]).description + "\n"
  }

  private static func list(_ words: [String]) -> JSONValue { .list(words.map { .text($0) }) }

  private static func object(
    _ device: some SensingDevice, beside: [String] = [], _ advice: String?
  ) -> JSONValue {
    object(
      device.name, title: device.title,
      [
        ("path", .text(device.path)), ("uses", list(device.uses + beside)),
        ("channels", list(device.channels)),
      ], advice)
  }

  private static func object(
    _ name: String, title: String, _ members: [(String, JSONValue)], _ advice: String?
  ) -> JSONValue {
    .object(
      [("name", .text(name)), ("title", .text(title))] + members + [
        ("advice", advice.map { .text($0) } ?? .null)
      ])
  }
}
