import MoCore
import MoRuntime
import MoSensing
import Testing

@Suite("This machine as a sensor")
struct HostTests {
  @Test("reads a Pi's temperature, power, Wi-Fi and memory in the kernel's formats")
  func pi() {
    let folder = FakeFolder([
      "sys/class/thermal/thermal_zone0/temp": "48312", "sys/class/thermal/thermal_zone1/temp": "51000",
      "sys/devices/platform/soc/soc:firmware/get_throttled": "50005",
      "proc/net/wireless":
        "Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE\n face | tus | link level noise |"
        + "  nwid  crypt   frag  retry   misc | beacon | 22\n wlan0: 0000   58.  -52.  -256        0      0      0      0      0"
        + "        0",
      "proc/meminfo": "MemTotal:        3884396 kB\nMemFree:          100000 kB\nMemAvailable:    1942198 kB",
    ])
    let source = HostSource(root: folder.path, clock: SystemClock(), deliver: { _ in })
    var values: [String: Float] = [:]
    for (name, value) in source.values() { values[name] = value }
    #expect(values["temperature"] == 51 && values["wifi"] == -52 && values["memory"] == 0.5)
    #expect(values["throttled"] == Float(0x50005))
    #expect(values["clock"] == nil)
  }

  // The names of the folders of a Pi 4, of a Pi 5, and of a kernel without the folder of the system on a chip.
  @Test(
    "finds the throttling bits at the firmware's place on each model",
    arguments: ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware", "soc:firmware"])
  func throttling(place: String) {
    let folder = FakeFolder(["sys/devices/platform/\(place)/get_throttled": "50000"])
    let source = HostSource(root: folder.path, clock: SystemClock(), deliver: { _ in })
    #expect(source.values().first { $0.0 == "throttled" }?.1 == Float(0x50000))
  }

  @Test("leaves out values that a machine does not have; this machine has a disk")
  func here() {
    let names = HostSource(clock: SystemClock(), deliver: { _ in }).values().map(\.0)
    #expect(names.contains("disk"))
  }

  @Test(
    "the value clock is 1 if the clock is set, and 0 if not; it is left out if the state cannot be read",
    arguments: [true, false, nil])
  func clock(isSet: Bool?) {
    let source = HostSource(clock: SystemClock(), isClockSet: { isSet }, deliver: { _ in })
    #expect(source.values().first { $0.0 == "clock" }?.1 == isSet.map { $0 ? 1 : 0 })
  }
}
