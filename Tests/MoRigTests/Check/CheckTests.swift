import Glibc
import MoRig
import MoRuntime
import MoSensing
import MoTesting
import Testing

@Suite("A check of a configuration")
struct CheckTests {
  private func remarks(_ text: String, as access: RigAccess = .caller) -> [String] {
    let check = RigCheck(RigReader.reading(text, file: "rig.conf"), as: access)
    return check.remarks.map { ($0.title.map { "[\($0)] " } ?? "") + $0.text }
  }

  private func isRight(_ text: String) -> Bool { RigCheck(RigReader.reading(text, file: "rig.conf")).isRight }

  private var unit: ServiceUnit {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return ServiceUnit(ProgramRun(shell: "cat '\(root)/Sources/Packaging/Debian/momu-rig.service'").text)
  }

  @Test("rejects an address with a number over 255 as a target and as a name")
  func address() {
    let reading = RigReader.reading(
      "[accel]\nsource = sim:still\nto = 10.77.0.300:9000, 127.0.0.1:9", file: "rig.conf")
    #expect(
      reading.problems.map(\.description) == [
        "rig.conf:3: \"10.77.0.300:9000\" is not a target: each number of the address 10.77.0.300 must be 0 to "
          + "255, such as 192.168.0.7"
      ])
    #expect(reading.configuration.streams.map(\.targets) == [["127.0.0.1:9"]])
  }

  @Test("reports a name that the network does not know as a fault")
  func names() {
    let text = "[accel]\nsource = sim:still\nto = nosuchhost.invalid:9000, 127.0.0.1:9\n"
    #expect(
      remarks(text) == [
        "to nosuchhost.invalid:9000: unknown host nosuchhost.invalid: check the spelling, or use the address that "
          + "'hostname -I' prints on that machine"
      ])
    #expect(!isRight(text))
  }

  @Test("reports a channel that no machine has as a fault")
  func hostChannel() {
    let text = "[host]\nchannel = temprature\nto = 127.0.0.1:9\n"
    #expect(
      remarks(text) == [
        "[host] it would send nothing: host has no channel temprature: did you mean temperature? Use temperature, "
          + "throttled, wifi, disk, memory or clock"
      ])
    #expect(!isRight(text))
    #expect(isRight("[host]\nchannel = temperature\nto = 127.0.0.1:9\n"))
  }

  @Test("reports two sensors with the same address and target")
  func duplicates() {
    let text =
      "[rig]\nto = 127.0.0.1:9\n[accel]\nsource = sim:still\n[gyro]\nsource = sim:turn\naddress = /momu/accel\n"
    #expect(
      remarks(text) == [
        "[gyro] it sends to the same address and target as [accel], /momu/accel: set another address"
      ])
    #expect(!isRight(text))
    #expect(isRight(text + "to = 127.0.0.1:10\n"))
  }

  @Test("a user can read a tape under /home, the service cannot")
  func hidden() {
    let service = RigAccess.service(unit)
    #expect(
      remarks("[accel]\nto = 127.0.0.1:9\nsource = tape:/home/anna/a.osc", as: service) == [
        "[accel] it would not start: /home/anna/a.osc: the service cannot see it, because ProtectHome=yes hides /home: move "
          + "it to /etc/momu"
      ])
  }

  @Test("reports a device that the service has no permission to open, even if root checks")
  func groups() {
    let path = "/dev/momu-check-\(getpid())"
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    guard file >= 0 else { return }
    close(file)
    defer { unlink(path) }
    chmod(path, 0o660)
    let found = remarks("[sensor]\nto = 127.0.0.1:9\nsource = serial:\(path)", as: .service(unit))
    #expect(
      found.count == 1
        && found[0].contains("\(path): the service has no permission to open it: it is in the groups")
        && found[0].contains("; momu rig --udev-rule prints"))
    chmod(path, 0o666)
    #expect(remarks("[sensor]\nto = 127.0.0.1:9\nsource = serial:\(path)", as: .service(unit)).isEmpty)
  }

  @Test("names the device that a sensor without a source would read: the first that may be opened")
  func best() throws {
    let kind = AnySensorKind(
      SensorKind<ChannelReading>(
        option: "fake", noun: "a fake",
        rows: [
          SensorRow(
            "fake", forms: ["fake:N"], folder: "/dev",
            devices: {
              [
                NamedDevice(name: "sim:wave", about: "", isReal: false),
                NamedDevice(name: "fake:1", about: "closed", isReal: true, isOpen: false),
                NamedDevice(name: "fake:2", about: "open", isReal: true),
              ]
            }, open: { _, _ in nil })
        ],
        standIn: { _, _ in throw SensorError.other("") }))
    let stream = RigStream(kind: kind, address: "/fake", targets: ["127.0.0.1:9"])
    #expect(stream.summary == "[fake] fake:2 -> /fake at 127.0.0.1:9" && stream.waitReason == nil)
    let text = "[orientation]\nto = 127.0.0.1:9\n[compass]\nto = 127.0.0.1:9\n[host]\nto = 127.0.0.1:9\n"
    #expect(
      RigReader.reading(text, file: "").configuration.streams.map(\.summary) == [
        "[orientation] fused -> /momu/orientation at 127.0.0.1:9",
        "[compass] fused -> /momu/compass at 127.0.0.1:9", "[host] host -> /momu/host at 127.0.0.1:9",
      ])
  }

  @Test("reports that a combined sensor would wait if its own sensors are missing")
  func parts() {
    guard (AnySensorKind(.gyro).devices() + AnySensorKind(.magnet).devices()).allSatisfy({ !$0.isReal })
    else { return }
    let text = "[orientation]\nto = 127.0.0.1:9\n[compass]\nto = 127.0.0.1:9\n[location]\nto = 127.0.0.1:9\n"
    #expect(
      remarks(text) == [
        "[orientation] it would wait now: no device for its gyro is here: momu devices lists the devices",
        "[compass] it would wait now: no device for its magnet is here: momu devices lists the devices",
      ])
    #expect(isRight(text))
  }

  @Test("reports that a sensor without a source would wait if there is no device of its kind")
  func automatic() {
    guard AnySensorKind(.magnet).devices().allSatisfy({ !$0.isReal }) else { return }
    #expect(
      remarks("[magnet]\nto = 127.0.0.1:9") == [
        "[magnet] it would wait now: no device for it is here: momu devices lists the devices"
      ])
    #expect(isRight("[magnet]\nto = 127.0.0.1:9"))
  }
}
