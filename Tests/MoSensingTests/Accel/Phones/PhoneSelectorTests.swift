import MoCore
import MoOSC
import MoSensing
import Testing

@Suite("Several phones")
struct PhoneChoiceTests {
  private let touch = message("/accxyz", 0, 0, -1)
  private let sensors = message("/accelerometer", 0, 0, 9.80665)
  private func at(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }
  private func name(_ layout: PhoneLayout, _ host: String, _ device: String = "") -> PhoneName {
    PhoneName(layout: layout, host: host, device: device)
  }

  @Test("reads the first phone that sends, and counts and names the others in one line")
  func first() {
    let choice = Listener()
    for step in 0..<200 {
      let now = at(Double(step) / 100)
      choice.advance(to: now)
      #expect(choice.decode(touch, from: "a", at: now) != nil)
      #expect(choice.decode(sensors, from: "b", at: now) == nil)
      if step >= 50 { #expect(choice.decode(touch, from: "c", at: now) == nil) }
    }
    #expect(choice.counts == PhoneSelector.Counts(readings: 200, others: 350))
    #expect(
      choice.popReports() == [
        .using(name(.touchOSC, "a")), .others([name(.sensors2OSC, "b"), name(.touchOSC, "c")]),
      ])
    #expect(choice.popReports().isEmpty)
  }

  @Test("a stray message of another layout does not change the app, not even from the same phone")
  func stray() {
    let choice = Listener()
    #expect(choice.decode(touch, from: "a", at: at(0)) != nil)
    #expect(choice.decode(sensors, from: "a", at: at(0.5)) == nil)
    #expect(choice.decode(touch, from: "a", at: at(1)) != nil)
    #expect(choice.phone == name(.touchOSC, "a"))
  }

  @Test("garbage, and messages without a measurement, do not choose a phone")
  func nobody() {
    let choice = Listener()
    _ = choice.decode(message("/accxyz", .nan, 0, 0), from: "a", at: at(0))
    _ = choice.decode(OSCMessage("/x/deviceinfo", ["", "x", "ios"]), from: "a", at: at(0))
    #expect(choice.phone == nil && choice.popReports().isEmpty)
    #expect(choice.decode(sensors, from: "b", at: at(0)) != nil)
  }

  @Test("another phone takes over after two seconds of silence, and not before")
  func takeOver() {
    let choice = Listener()
    _ = choice.decode(touch, from: "a", at: at(0))
    #expect(choice.decode(sensors, from: "b", at: at(1.9)) == nil)
    #expect(isNear(choice.decode(sensors, from: "b", at: at(2)), SIMD3(0, 0, 1)))
    #expect(choice.decode(touch, from: "a", at: at(2.1)) == nil)
    #expect(choice.popReports() == [.using(name(.touchOSC, "a")), .using(name(.sensors2OSC, "b"))])
  }

  @Test("reports silence once after five seconds, and its end too")
  func silence() {
    let choice = Listener()
    let phone = name(.touchOSC, "a")
    _ = choice.decode(touch, from: "a", at: at(1))
    #expect(choice.nextTime == at(6))
    choice.advance(to: at(5.9))
    #expect(choice.popReports() == [.using(phone)])
    choice.advance(to: at(6))
    choice.advance(to: at(60))
    #expect(choice.popReports() == [.silent(phone)])
    #expect(choice.nextTime == nil)
    _ = choice.decode(touch, from: "a", at: at(61))
    #expect(choice.popReports() == [.back(phone)])
    #expect(choice.nextTime == at(66))
  }

  @Test("distinguishes phones behind one address by the names that ZIG SIM gives them")
  func devices() {
    let choice = Listener()
    for device in ["one", "two"] {
      _ = choice.decode(message("/ZIGSIM/\(device)/accel", 0, 0, 0), from: "a", at: at(0))
      _ = choice.decode(message("/ZIGSIM/\(device)/gravity", 0, 0, -1), from: "a", at: at(0))
    }
    #expect(choice.phone == name(.zigSim, "a", "one"))
    #expect(choice.counts == PhoneSelector.Counts(readings: 1, others: 2))
  }

  @Test("a flood of forged phones uses no memory, and only sixteen are reported")
  func flood() {
    let choice = Listener()
    _ = choice.decode(touch, from: "a", at: at(0))
    for number in 0..<10_000 { _ = choice.decode(sensors, from: "\(number)", at: at(0.5)) }
    #expect(choice.counts.others == 10_000)
    choice.advance(to: at(1.5))
    guard case .others(let named)? = choice.popReports().last else {
      Issue.record("nobody was told")
      return
    }
    #expect(named.count == 16)
  }
}
