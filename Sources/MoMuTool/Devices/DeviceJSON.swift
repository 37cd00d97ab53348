import MoMu
import MoRuntime

/// The JSON output of `momu devices`: one object with a list for each kind of device.
enum DeviceJSON {
  static func text(_ equipment: DeviceInventory) -> String {
    let person = equipment.person
    let cards = equipment.cards.flatMap { card in
      card.devices.map { device in
        object(
          card.name(of: device), title: "\(card.title), \(device.title)",
          [
            ("plays", .bool(device.plays)), ("records", .bool(device.records)),
            ("heldBy", device.holder.map { .text($0.name) } ?? .null),
          ], device.advice(card, for: person))
      }
    }
    let served = (equipment.server?.devices() ?? []).map { device in
      object(device.name, title: device.about, [("plays", .bool(true)), ("heldBy", .null)], nil)
    }
    let inputs = equipment.inputs.map { device in
      object(device, beside: device.rumbles ? ["rumble"] : [], device.advice(for: person))
    }
    let chips = equipment.sensors.map { chip in object(chip, chip.advice) }
    let ports = equipment.ports.map { port in
      object(
        port.name, title: port.title ?? "",
        [("path", .text(port.path)), ("heldBy", port.holder.map { .text($0.name) } ?? .null)],
        port.advice(for: person))
    }
    let advice = equipment.midi?.advice(for: person)
    let midi = (equipment.midi?.ports ?? []).map { midi in
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
