import Glibc
import MoCore
import MoRig
import MoSensing
import Testing

@Suite("A rig's configuration")
struct ConfigurationTests {
  private func read(_ text: String) throws -> RigConfiguration { try RigReader.read(text, file: "rig.conf") }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch let problems as RigProblems {
      return problems.list.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  @Test("reads every setting of the example")
  func example() throws {
    let rig = try read(RigExample.text)
    #expect(rig.name == "kitchen" && rig.targets == ["192.168.0.7:9000"] && rig.statistics == 10)
    #expect(rig.streams.map(\.title) == ["accel", "sensor light", "buttons"])
    #expect(rig.streams[0].ruleSettings == .init(rate: 50, deadBand: 0.02, smooth: 0.1, again: 10))
    #expect(rig.streams[0].address == "/momu/accel" && rig.streams[0].source == nil)
    #expect(rig.streams[1].source == "iio:als" && rig.streams[1].channel == "illuminance")
    #expect(rig.streams[1].address == "/kitchen/light" && rig.streams[1].targets == ["broadcast:6449"])
    #expect(rig.streams[2].isStamped && rig.streams[2].targets == rig.targets)
  }

  @Test("Docs/Rig.md shows a configuration without a mistake, and lists every setting and heading")
  func documented() throws {
    let page = RigPage.text
    let block = page.components(between: "    [rig]", and: "\n\n| under")
    let rig = try read(block.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n"))
    #expect(rig.streams.map(\.title) == ["accel", "sensor light"])
    for name in RigConfiguration.settings.map(\.name) + RigStream.settings.map(\.name) {
      #expect(page.contains("\n| `\(name)` | "))
    }
    for kind in AnySensorKind.all { #expect(page.contains("`\(kind.name)`")) }
    for path in RigFile.usual { #expect(page.contains(path)) }
  }

  @Test("accepts byte order mark, Windows' line ends, tabs, capitals and comments")
  func anyMachine() throws {
    let text =
      "\u{FEFF}# mine\r\n[RIG]\r\n\tTo = 10.0.0.1:9 , 10.0.0.2:9 # two\r\n\r\n[Gyro]\r\nRate=5;no\r\n"
    #expect(
      problems(text) == [
        "rig.conf:6: \"5;no\" is not a valid rate: write a number from 0.001 to 1000 (messages a second), such as rate = 50"
      ])
    let rig = try read(text.replacing(";no", with: " ;no"))
    #expect(rig.targets == ["10.0.0.1:9", "10.0.0.2:9"])
    #expect(rig.streams.first?.ruleSettings.rate == 5)
  }

  @Test("a name in a heading keeps its capitals, and two names that differ in capitals only are two names")
  func capitals() throws {
    let rig = try read(
      "[RIG]\nTo = a:9\nlisten = 9001\n[Accel Left]\n[accel left]\n[OUTPUT Lamp]\ndevice = led:a\n")
    #expect(rig.streams.map(\.title) == ["accel Left", "accel left"])
    #expect(rig.streams.map(\.address) == ["/momu/accel/Left", "/momu/accel/left"])
    #expect(rig.outputs.map(\.address) == ["/momu/output/Lamp"])
  }

  @Test(
    "reports each mistake with its line and with what to write",
    arguments: [
      (
        "",
        "rig.conf: there is no sensor: write a heading such as [accel], and under it to = 192.168.0.7:9000"
      ),
      (
        "[accel]\nrate = 50",
        "rig.conf:1: [accel] has no target: write to = 192.168.0.7:9000 under it, or under [rig] for all sensors"
      ),
      (
        "rate = 50\n[accel]\nto = a:9",
        "rig.conf:1: \"rate\" is under no heading: write [rig], or a sensor such as [accel], above it"
      ),
      (
        "[rig]\nto = a:9\n[acel]\nrate = 50\n[gyro]",
        "rig.conf:3: there is no [acel]: did you mean [accel]? Use rig, accel, gyro, magnet, orientation, compass, location, "
          + "touch, buttons, sensor, text, host or output"
      ),
      (
        "[accel]\nto = a:9\nrat = 50",
        "rig.conf:3: [accel] has no \"rat\": did you mean rate? Use source, channel, to, address, rate, dead-band, smooth, "
          + "repeat, scale, offset, range, unit, midi or stamped"
      ),
      (
        "[accel]\nto = a:9\nrate 50",
        "rig.conf:3: \"rate 50\" is not a setting: write name = value, [heading], or # before a comment"
      ),
      (
        "[accel\nto = a:9",
        "rig.conf:1: \"[accel\" is not a setting: write name = value, [heading], or # before a comment"
      ),
      (
        "[accel]\nto = a:9\nrate = fast",
        "rig.conf:3: \"fast\" is not a valid rate: write a number from 0.001 to 1000 (messages a second), such as rate = 50"
      ),
      (
        "[accel]\nto = a:9\nrate = 0",
        "rig.conf:3: \"0\" is not a valid rate: write a number from 0.001 to 1000 (messages a second), such as rate = 50"
      ),
      (
        "[accel]\nto = a:9\nsmooth = 100",
        "rig.conf:3: \"100\" is not a valid smooth: write a number from 0.001 to 60 (seconds), such as smooth = 0.1"
      ),
      (
        "[accel]\nto = a:9\nrate = 5\nrate = 6",
        "rig.conf:4: line 3 sets rate already: remove one"
      ),
      (
        "[accel]\nto = a",
        "rig.conf:2: \"a\" is not a target: the port is missing; type 192.168.0.5:8888, name.local:8888, broadcast:8888, "
          + "224.0.1.9:8888 or tcp:192.168.0.5:8888"
      ),
      (
        "[accel]\nto = a:9\nsource = idle:0",
        "rig.conf:3: unknown source \"idle:0\" for [accel]: use evdev:PATH, iio:N, keys, net, sim:still, sim:shake, "
          + "sim:tilt, sim:play or tape:FILE"
      ),
      (
        "[sensor]\nto = a:9\nsource = serial:/dev/ttyACM0?baud=99",
        "rig.conf:3: unknown setting \"baud=99\" for serial:PATH: use ?baud= and 9600, 19200, 38400, 57600, 115200, "
          + "230400, 460800 or 921600"
      ),
      (
        "[sensor]\nto = a:9\nsource = serial:",
        "rig.conf:3: unknown source \"serial:\" for [sensor]: use serial:PATH, iio:N, evdev:PATH, gpio:CHIP/LINE, w1:ID, "
          + "net, sim:wave, sim:steps or tape:FILE"
      ),
      (
        "[accel left]\nto = a:9\nsource = net:99999",
        "rig.conf:3: \"99999\" is not a port number for source = net: use 1 to 65535, such as net:6449"
      ),
      (
        "[touch]\nto = a:9\nsource = evdev:x?rotate=45",
        "rig.conf:3: unknown setting \"rotate=45\" for source = evdev:PATH: use ?grab, ?rotate=90, 180 or 270, or both: "
          + "?grab&rotate=90"
      ),
      (
        "[accel]\nto = a:9\nsource = keys:a",
        "rig.conf:3: unknown source \"keys:a\" for [accel]: use evdev:PATH, iio:N, keys, net, sim:still, sim:shake, "
          + "sim:tilt, sim:play or tape:FILE"
      ),
      (
        "[orientation]\nto = a:9\nsource = fused:1",
        "rig.conf:3: unknown source \"fused:1\" for [orientation]: use fused, net or tape:FILE"
      ),
      (
        "[gyro]\nto = a:9\nsource = tape:",
        "rig.conf:3: unknown source \"tape:\" for [gyro]: use evdev:PATH, iio:N, net, sim:still, sim:turn, sim:tilt or "
          + "tape:FILE"
      ),
      (
        "[gyro]\nto = a:9\nsource = tape:/nowhere?speed=0",
        "rig.conf:3: unknown setting \"speed=0\" for a tape: write tape:FILE?speed=2, ?loop or ?speed=2&loop"
      ),
      (
        "[location]\nto = a:9\nsource = gpsd:studio.local",
        "rig.conf:3: \"studio.local\" is not an IP address: write numbers, such as gpsd:192.168.0.7"
      ),
      (
        "[rig]\nto = a:9\n[accel]\n[rig]\nto = b:9",
        "rig.conf:4: line 1 has [rig] already: move these settings there"
      ),
      (
        "[accel]\nto = a:9, b:9, a:9",
        "rig.conf:2: a:9 is named twice: remove one"
      ),
      (
        "[accel]\nto = a:9\naddress = tilt",
        "rig.conf:3: \"tilt\" is not an OSC address: begin it with /, and leave out spaces and #*,?[]{}, such as /tilt"
      ),
      (
        "[buttons]\nto = a:9\nrate = 5",
        "rig.conf:1: [buttons] does not accept rate, dead-band, smooth or repeat: each of its messages is an event"
      ),
      (
        "[sensor]\nto = a:9",
        "rig.conf:1: [sensor] has no source: write source = serial:/dev/ttyACM0, iio:0 or evdev:NAME"
      ),
      (
        "[rig]\nto = a:9\n[gyro]\n[gyro]",
        "rig.conf:4: line 3 has [gyro] already: give this section a name, such as [gyro left]"
      ),
      (
        "[gyro my own]\nto = a:9",
        "rig.conf:1: \"my own\" is not a name: use letters, digits, - and _, such as [gyro left]"
      ),
      (
        "[gyro]\nto = a:9\nstamped = perhaps",
        "rig.conf:3: \"perhaps\" is not yes or no: write stamped = yes or stamped = no"
      ),
      (
        "[compass]\nto = a:9\nscale = 2",
        "rig.conf:1: [compass] does not accept scale, offset or range: its values have no common unit"
      ),
      (
        "[accel]\nto = a:9\nrange = 1..0",
        "rig.conf:3: \"1..0\" is not a range: write the lowest value, two dots and the highest value, such as "
          + "range = 0..1"
      ),
      (
        "[accel]\nto = a:9\nrange = 0...1",
        "rig.conf:3: \"0...1\" is not a range: write the lowest value, two dots and the highest value, such as "
          + "range = 0..1"
      ),
      (
        "[accel]\nto = a:9\nchannel = x",
        "rig.conf:1: [accel] has no channels: only [sensor] and [host] have"
      ),
      (
        "[orientation]\nto = a:9\nsmooth = 1",
        "rig.conf:1: [orientation] does not accept smooth: its values are angles, which wrap around"
      ),
    ])
  func mistakes(text: String, expected: String) {
    #expect(problems(text) == [expected])
  }

  @Test("reports all mistakes together, in the order of the lines")
  func all() {
    let listed = problems("[accel]\nrate = x\nsmooth = y\n[gyro]\nto = 9\n")
    #expect(
      listed.map { $0.prefix(10) } == ["rig.conf:1", "rig.conf:2", "rig.conf:3", "rig.conf:5"])
  }

  @Test("random text is read as a configuration or reported, without a crash")
  func anything() {
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<40 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        text +=
          ["[", "]", "=", "\n", "rig", "accel", "rate", " ", "9", "a:9", "to", "#", "\0", "é", "-"][
            Int(state % 15)]
      }
      _ = problems(text)
    }
  }

  /// A temporary file, which is removed at its end.
  private final class Written {
    let path = "/tmp/momu-rig-\(getpid())-\(UInt32.random(in: 0 ... .max)).conf"

    init(_ bytes: [UInt8], ending: String = "", rights: mode_t = 0o600) {
      let file = open(path + ending, O_WRONLY | O_CREAT | O_TRUNC, rights)
      _ = write(file, bytes, bytes.count)
      close(file)
    }

    deinit {
      unlink(path)
      unlink(path + ".txt")
    }
  }

  @Test("reads UTF-16, UTF-8 and the older encoding that the editor of Windows writes")
  func encodings() throws {
    let text = "# Gr\u{FC}\u{DF}e\r\n[rig]\r\nto = 10.0.0.1:9\r\n[gyro]\r\n"
    let units = [0xFEFF] + Array(text.utf16)
    let encoded: [[UInt8]] = [
      units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      Array("\u{FEFF}\(text)".utf8), text.unicodeScalars.map { UInt8($0.value) },
    ]
    for bytes in encoded {
      let file = Written(bytes)
      let rig = try RigFile.read(file.path).1
      #expect(rig.targets == ["10.0.0.1:9"] && rig.streams.map(\.line) == [4])
      // A text cut in the middle of a letter is read up to there, or reported.
      let cut = Written(bytes.dropLast())
      _ = try? RigFile.read(cut.path)
      withExtendedLifetime((file, cut)) {}
    }
  }

  @Test("reports a file of zero bytes, which a power cut may leave")
  func zeros() {
    for bytes in [[UInt8](repeating: 0, count: 4096), Array("[gyro]\n".utf8) + [0, 0], [0xFF, 0xFE, 0, 0]] {
      let file = Written(bytes)
      let problem = #expect(throws: RigProblem.self) { try RigFile.read(file.path) }
      #expect(
        problem?.text
          == "it contains zero bytes, perhaps because the power was cut while it was written: "
          + "write it again as plain text")
    }
  }

  @Test("reads a pipe that delivers pieces to its end")
  func pipe() throws {
    let path = "/tmp/momu-rig-\(getpid())-\(UInt32.random(in: 0 ... .max)).fifo"
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let writer = try MoThread(name: "writer") { _ in
      let file = open(path, O_WRONLY)
      for piece in ["[rig]\nto = a:9\n", "[gyro]\n"] {
        _ = write(file, piece, piece.utf8.count)
        usleep(50_000)
      }
      close(file)
    }
    let rig = try RigFile.read(path).1
    writer.join()
    #expect(rig.targets == ["a:9"] && rig.streams.map(\.title) == ["gyro"])
  }

  @Test("finds and reports a file to which Windows added .txt")
  func windowsName() throws {
    let file = Written(Array("[gyro]\nto = a:9\n".utf8), ending: ".txt")
    let problem = #expect(throws: RigProblem.self) { try RigFile.read(file.path) }
    #expect(
      problem?.text
        == "it cannot be read: No such file or directory; there is \(file.path).txt: use this name, or "
        + "remove .txt, which Windows adds and hides")
    #expect(try RigFile.read(nil, among: [file.path, file.path + ".txt"]).file == file.path + ".txt")
  }

  @Test("reports a missing file, a folder and a file that is too long")
  func files() {
    func said(_ path: String?, among usual: [String] = []) -> String {
      do { return "\(try RigFile.read(path, among: usual))" } catch { return "\(error)" }
    }
    let example = "; momu rig --example prints an example"
    #expect(
      said("/nowhere/rig.conf") == "/nowhere/rig.conf: it cannot be read: No such file or directory" + example
    )
    #expect(said("/dev") == "/dev: it cannot be read: Is a directory" + example)
    #expect(said("/dev/zero") == "/dev/zero: it is longer than 65536 bytes: is it a configuration?")
    #expect(
      said(nil, among: ["/nowhere/a", "/nowhere/b"])
        == "/nowhere/a: there is no configuration: type momu rig --example > momu-rig.conf, then edit that file"
    )
    #expect(said(nil, among: ["/nowhere/a", "/dev/zero"]).hasPrefix("/dev/zero"))
  }
}

/// The page Docs/Rig.md.
enum RigPage {
  static var text: String {
    let root = "/" + "\(#filePath)".split(separator: "/").dropLast(4).joined(separator: "/")
    guard let file = fopen("\(root)/Docs/Rig.md", "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let letter = fgetc(file), letter != EOF { bytes.append(UInt8(truncatingIfNeeded: letter)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// Returns the text from one string up to another.
  fileprivate func components(between start: String, and end: String) -> String {
    guard let begin = firstRange(of: start), let stop = self[begin.lowerBound...].firstRange(of: end) else {
      return ""
    }
    return String(self[begin.lowerBound..<stop.lowerBound])
  }
}
