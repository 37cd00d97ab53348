import MoCore
import MoOSC
import MoSensing
import MoTesting
import Testing

@Suite("Garbage from phones")
struct PhoneGarbageTests {
  @Test(
    "drops and counts messages that cannot be readings",
    arguments: [
      message("/accxyz", .nan, 0, 1), message("/accxyz", 0, .infinity, 1), message("/accxyz", 0, 0, 1e30),
      message("/accxyz", 0, 0), message("/accxyz", 0, 0, 1, 1), message("/accxyz", 0, 0, 0),
      OSCMessage("/accxyz", ["0", "0", "1"]), OSCMessage("/accxyz", [0.5, "x", 0.5, 0.5]),
      OSCMessage("/accxyz"), OSCMessage("/accxyz", [.double(1e300), 0.5, 0.5]),
      message("/accelerometer", 0, 0, -.infinity), message("/accelerometer/X", .nan),
      message("/accelerometer/Y"), message("/gravity", 1e20, 0, 0),
      message("/ZIGSIM/a/accel", 0, 1), OSCMessage("/ZIGSIM/a/gravity", [true, false, .nil]),
      message("/momu/accel", 50, 0, 0),
    ])
  func unusable(garbage: OSCMessage) {
    let choice = Listener()
    // First alone, then between valid messages.
    #expect(choice.decode(garbage, from: "a", at: .zero) == nil)
    #expect(choice.counts.unusable == 1)
    #expect(choice.counts.readings == 0)
    for step in 1...10 {
      _ = choice.decode(message("/momu/accel", 0, 0, 1), from: "a", at: HostTime(seconds: Double(step)))
      _ = choice.decode(garbage, from: "a", at: HostTime(seconds: Double(step)))
    }
    #expect(choice.counts.readings == 10)
    #expect(choice.counts.unusable == 11)
  }

  @Test(
    "ignores messages of unknown apps",
    arguments: [
      message("/drum/hit", 0, 0, 1), message("/1/fader1", 0.5), message("/1/accel", 0.5),
      message("/", 1, 2, 3),
      message("/accelerometer/W", 1), message("/ZIGSIM/a/gyro", 0, 0, 1), message("/accxyz/0", 1),
      message("//accxyz", 0, 0, 1), OSCMessage("/a/deviceinfo"), message("/orientation", 0, 0, 1),
      message("/a/b/c/d/e/accel", 0, 0, 1),
    ])
  func foreign(stray: OSCMessage) {
    let choice = Listener()
    #expect(choice.decode(stray, from: "a", at: .zero) == nil)
    #expect(choice.counts == PhoneSelector.Counts(foreign: 1))
    #expect(choice.phone == nil)
  }

  @Test("for any input, no reading is NaN or exceeds a sensor's range")
  func random() {
    var random = TestRandom(seed: 1)
    let choice = Listener()
    let addresses = [
      "/accxyz", "/accelerometer", "/gravity", "/linearacceleration", "/accelerometer/X", "/accelerometer/Y",
      "/accelerometer/Z", "/ZIGSIM/a/accel", "/ZIGSIM/a/gravity", "/b/accel", "/b/gravity", "/momu/accel",
    ]
    for step in 0..<20_000 {
      let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        OSCArgument.float(Float(bitPattern: UInt32.random(in: 0 ... .max, using: &random)))
      }
      let address = addresses.randomElement(using: &random) ?? ""
      let now = HostTime(seconds: Double(step) * Double.random(in: 0...1, using: &random))
      guard let reading = choice.decode(OSCMessage(address, values), from: "a", at: now) else { continue }
      // Movement and gravity may each have the full range.
      #expect(reading.length <= 64)
    }
    #expect(choice.counts.readings > 0)
  }
}
