import MoOSC
import MoRig
import MoSensing
import Testing

@testable import MoMuTool

@Suite("The list of all kinds of sensors")
struct SensorListTests {
  private let kinds = AnySensorKind.all

  @Test("each kind has a name and an address of its own, a heading in rigs, and a source in momu scope")
  func names() throws {
    #expect(Set(kinds.map(\.name)).count == kinds.count && Set(kinds.map(\.address)).count == kinds.count)
    let sources = kinds.map { $0.choices == nil ? nil : "serial:/dev/\($0.name)" }
    let text = zip(kinds, sources).map { kind, source in
      "[\(kind.name)]\nto = 127.0.0.1:9\n" + (source.map { "source = \($0)\n" } ?? "")
    }
    let reading = RigReader.reading(text.joined(), file: "rig.conf")
    #expect(reading.problems.isEmpty && reading.configuration.streams.map(\.kind) == kinds)
    #expect(reading.configuration.streams.map(\.address) == kinds.map(\.address))
    for (kind, source) in zip(kinds, sources) {
      let typed = kind.name + (source.map { "=\($0)" } ?? "")
      #expect(try ScopeSource(typed) == .sensor(kind, source))
    }
  }

  @Test(
    "momu scope draws the values of each kind with their unit",
    arguments: [
      ("accel", ["accel/g/x/0.0", "accel/g/y/1.0", "accel/g/z/2.0"]),
      ("gyro", ["gyro/rad/s/x/0.0", "gyro/rad/s/y/1.0", "gyro/rad/s/z/2.0"]),
      ("magnet", ["magnet/µT/x/0.0", "magnet/µT/y/1.0", "magnet/µT/z/2.0"]),
      (
        "orientation",
        [
          "orientation/quaternion/w/0.0", "orientation/quaternion/x/1.0", "orientation/quaternion/y/2.0",
          "orientation/quaternion/z/3.0",
        ]
      ),
      ("compass", ["compass/°/magnetic/0.0", "compass/°/true/1.0"]),
      ("location", ["speed/m/s/speed/3.0", "altitude/m/altitude/2.0"]),
      ("touch", ["touch//x/1.0", "touch//y/2.0"]),
    ])
  func numbers(name: String, drawn: [String]) throws {
    let kind = try #require(kinds.first { $0.name == name })
    let values = ScopeValues.of(kind.address, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(values.map { "\($0.pane)/\($0.unit)/\($0.line)/\($0.value)" } == drawn)
  }

  @Test("momu scope draws a named value as the curve of that name")
  func named() {
    #expect(
      ScopeValues.of("/momu/button", ["BTN_SOUTH", 1]) == [
        ScopeValue(pane: "buttons", unit: "", line: "BTN_SOUTH", value: 1)
      ])
  }

  @Test("momu devices names each kind that can read an input device or a device of Industrial I/O")
  func devices() {
    // A device with all: an accelerometer's property, a touch screen's property and position, six axes and a key.
    let pad = EvdevTraits(properties: "42", axes: "2000000000003f", keys: "1")
    let found = kinds.filter { $0.readsInput(pad) }.map(\.name)
    #expect(found == ["accel", "gyro", "touch", "buttons", "sensor"])
    func readers(_ attributes: [String]) -> [String] {
      kinds.filter { $0.readsChip(attributes) }.map(\.name)
    }
    let vectors = ["accel", "anglvel", "magn"].flatMap { kind in
      ["x", "y", "z"].map { "in_\(kind)_\($0)_raw" }
    }
    #expect(readers(vectors + ["name"]) == ["accel", "gyro", "magnet", "sensor"])
    #expect(readers(["in_accel_x_raw", "in_accel_y_raw"]) == ["sensor"])
    #expect(readers(["name", "in_accel_scale"]).isEmpty)
  }

  @Test("momu doctor lists a device by its kind's word; only a kind that uses a chip's buffer gives advice")
  func doctor() {
    for kind in kinds {
      guard let word = kind.doctorWord else { continue }
      var inventory = DeviceInventory()
      inventory.inputs = [InputDevice(path: "/dev/input/event1", title: "Pad", uses: [kind.name])]
      #expect(sensorFindings(inventory).first?.what == "\(word) evdev:Pad")
    }
    #expect(kinds.compactMap(\.doctorWord) == ["accelerometer", "gyroscope", "magnetometer", "touch"])
    func chip(_ uses: String...) -> SensorChip {
      SensorChip(path: "/sys/0", number: "0", title: "chip", uses: uses, mayBuffer: false)
    }
    #expect(chip("gyro", "sensor").advice != nil && chip("sensor").advice == nil)
  }
}
