import Glibc
import MoCore
import MoRuntime
import MoSensing
import Testing

@Suite("Pins and 1-Wire thermometers")
struct PinTests {
  @Test("a pin is named by chip and line, with its settings after a question mark")
  func pin() throws {
    let plain = try GPIOPin("gpiochip0/17")
    #expect(plain.chip == "gpiochip0" && plain.line == "17" && !plain.isActiveLow && plain.pull == .asIs)
    let switched = try GPIOPin("pinctrl-bcm2711/GPIO17?active=low&pull=up&debounce=5")
    #expect(switched.chip == "pinctrl-bcm2711" && switched.line == "GPIO17")
    #expect(switched.isActiveLow && switched.pull == .up && switched.debounce == 5)
  }

  @Test(
    "a pin without a line, or with an unknown setting, gets an error with the correct form",
    arguments: [
      "", "17", "gpiochip0", "gpiochip0/", "/17", "a/b/c", "gpiochip0/17?", "gpiochip0/17?pull=left",
      "gpiochip0/17?debounce=-1", "gpiochip0/17?debounce=1001", "gpiochip0/17?active=low&&pull=up",
    ])
  func wrongPin(detail: String) {
    #expect {
      _ = try GPIOPin(detail)
    } throws: {
      "\($0)".contains(detail.contains("?") ? "use ?active=low" : "such as gpio:gpiochip0/17")
    }
  }

  @Test("the error for a missing chip names it, and tells how to list the chips")
  func noChip() throws {
    let pin = try GPIOPin("gpiochip999/1")
    #expect {
      _ = try pin.request()
    } throws: {
      "\($0)".contains("gpiochip999") && "\($0)".contains("ls /dev/gpiochip*")
    }
  }

  @Test("the error for a chip without access names the group gpio, whose rights stay after a restart")
  func noAccess() {
    #expect(
      SensorError.noPermission(path: "/dev/gpiochip0").description
        == "no access to /dev/gpiochip0: add yourself to the group 'gpio': sudo usermod -aG gpio $USER, then log in "
        + "again")
  }

  // The texts are from the kernel's Documentation/w1/slaves/w1_therm.rst, and from users' posts about DS18B20s.
  @Test(
    "parses w1_slave as the kernel's documentation describes it",
    arguments: [
      (
        "72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n72 01 4b 46 7f ff 0e 10 57 t=23125\n",
        OneWireReport.temperature(23.125)
      ),
      (
        "5e ff 4b 46 7f ff 02 10 6d : crc=6d YES\n5e ff 4b 46 7f ff 02 10 6d t=-10125\n",
        .temperature(-10.125)
      ),
      ("72 01 4b 46 7f ff 0e 10 57 : crc=11 NO\n72 01 4b 46 7f ff 0e 10 57 t=23125\n", .wrongChecksum),
      ("72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n", .unknown),
      ("72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n72 01 4b 46 7f ff 0e 10 57 t=\n", .unknown),
      ("72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n72 01 4b 46 7f ff 0e 10 57 t=999999\n", .unknown),
      // A data line that is held low, and a true 0 °C.
      ("00 00 00 00 00 00 00 00 00 : crc=00 YES\n00 00 00 00 00 00 00 00 00 t=0\n", .wrongChecksum),
      ("00 00 4b 46 7f ff 10 10 69 : crc=69 YES\n00 00 4b 46 7f ff 10 10 69 t=0\n", .temperature(0)),
      // 85 °C after power-on, and measured.
      ("50 05 4b 46 7f ff 0c 10 1c : crc=1c YES\n50 05 4b 46 7f ff 0c 10 1c t=85000\n", .powerOn),
      ("50 05 4b 46 7f ff 10 10 bd : crc=bd YES\n50 05 4b 46 7f ff 10 10 bd t=85000\n", .temperature(85)),
      ("", .unknown), ("noise", .unknown),
    ])
  func slave(text: String, report: OneWireReport) {
    #expect(OneWireReport(slave: text) == report)
  }

  @Test("parses thousandths of a degree, and empty text as a wrong checksum")
  func attribute() {
    #expect(OneWireReport(temperature: "23125\n") == .temperature(23.125))
    #expect(OneWireReport(temperature: "-55000") == .temperature(-55))
    #expect(OneWireReport(temperature: "") == .wrongChecksum)
    #expect(OneWireReport(temperature: "x\n") == .unknown)
  }

  @Test("lists and reads a thermometer, skips wrong checksums, and reports its removal")
  func thermometer() throws {
    // A folder with the kernel's layout replaces /sys/bus/w1/devices.
    let folder = "/tmp/momu-w1-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let device = "\(folder)/28-0316a2797bff"
    let file = "\(device)/w1_slave"
    func save(_ text: String) { WholeFile.write(text, to: file, isPrivate: false) }
    save("72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n72 01 4b 46 7f ff 0e 10 57 t=23125\n")
    defer { for path in [file, device, folder] { remove(path) } }
    mkdir("\(folder)/w1_bus_master1", 0o755)
    defer { rmdir("\(folder)/w1_bus_master1") }
    #expect(OneWireSource.devices(in: folder).map(\.name) == ["w1:28-0316a2797bff"])

    let heard = Locked<[Float]>([])
    let source = try OneWireSource(
      "28-0316a2797bff", folder: folder, clock: SystemClock(), pause: 0.005
    ) { reading in
      #expect(reading.channel.text == "temperature")
      heard.withLock { $0.append(reading.value) }
    }
    func wait(_ isSo: () -> Bool) throws -> Bool {
      for _ in 0..<1000 {
        try source.service(until: SystemClock().now)
        if isSo() { return true }
        usleep(2000)
      }
      return false
    }
    #expect(try wait { heard.withLock { $0.count } >= 2 })
    save("5e ff 4b 46 7f ff 02 10 6d : crc=6d YES\n5e ff 4b 46 7f ff 02 10 6d t=-10125\n")
    #expect(try wait { heard.withLock { $0.last } == -10.125 })
    #expect(heard.withLock { Set($0) } == [23.125, -10.125])
    unlink(file)
    #expect(throws: SensorError.wentAway(name: "w1:28-0316a2797bff", reason: "it was removed")) {
      _ = try wait { false }
    }
  }

  @Test(
    "refuses a number that is not a thermometer's before it becomes a path",
    arguments: ["28", "28-", "../etc/28-00", "01-00", "28-0/0", "28-xyz"])
  func wrongNumber(detail: String) {
    #expect(throws: SensorError.self) { try SensorKind.channels.check("w1:\(detail)") }
  }
}

@Suite("Lines of text")
struct TextLineTests {
  private func lines(_ pieces: [[UInt8]]) -> (lines: [String], dropped: Int) {
    var decoder = TextDecoder()
    var lines: [String] = []
    for piece in pieces {
      decoder.decode(piece.span) { lines.append(String(decoding: $0, as: UTF8.self)) }
    }
    return (lines, decoder.dropped)
  }

  @Test("reads the frames of common RFID readers, in pieces of any size")
  func frames() {
    // ID-12LA: STX, ten digits, checksum, CR, LF, ETX. RDM6300: STX, twelve digits, ETX. A bar code scanner: CR.
    let text = Array("\u{2}0415AB91EA\r\n\u{3}\u{2}04003AB5D95A\u{3} 4006381333931 \r".utf8)
    let wanted = ["0415AB91EA", "04003AB5D95A", "4006381333931"]
    for size in [1, 2, 3, 7, text.count] {
      let pieces = stride(from: 0, to: text.count, by: size).map {
        Array(text[$0..<min($0 + size, text.count)])
      }
      #expect(lines(pieces).lines == wanted)
    }
  }

  @Test("accepts a line of 120 bytes; drops and counts a longer one, and reads the next")
  func long() {
    let most = String(repeating: "a", count: 120)
    let heard = lines([Array("\(most)\n\(most)b\nnext\n".utf8)])
    #expect(heard.lines == [most, "next"] && heard.dropped == 1)
    #expect(lines([[UInt8](repeating: 0x41, count: 1_000_000)]).lines.isEmpty)
  }

  @Test("a text survives its OSC message; bytes that are not UTF-8 do no harm")
  func message() {
    let line = TextLine(time: .zero, utf8: "Käse".utf8)
    #expect(line.text == "Käse" && line.arguments == [.string("Käse")])
    #expect(TextLine(time: .zero, arguments: line.arguments) == line)
    #expect(TextLine(time: .zero, arguments: [.float(1)]) == nil)
    #expect(TextLine(time: .zero, utf8: [0x41, 0xFF, 0x42]).text == "A\u{FFFD}B")
  }
}
