import Glibc
import MoRuntime
import MoSensing
import MoTesting
import Testing

@testable import MoRig

@Suite("The program momu-rig")
struct RigProgramTests {
  @Test("a SIGHUP ends a rig just after its terminal was closed, and later asks it to read again")
  func hangUp() {
    var terminal = StartTerminal(isOpen: true)
    for _ in 0..<3 {
      terminal.update(isOpen: true)
      #expect(terminal.isCloseExpected)
    }
    terminal.update(isOpen: false)
    #expect(terminal.isCloseExpected, "the shell may pass SIGHUP on after this poll")
    terminal.update(isOpen: false)
    #expect(!terminal.isCloseExpected)
    #expect(!StartTerminal(isOpen: false).isCloseExpected)
  }

  @Test("accepts option values after a space or an equals sign")
  func words() throws {
    var wanted = RigArguments()
    (wanted.checks, wanted.asService, wanted.unit, wanted.file) = (true, true, "a.service", "rig.conf")
    #expect(try RigArguments(["--check", "--as-service", "--unit", "a.service", "rig.conf"]) == wanted)
    #expect(try RigArguments(["rig.conf", "--unit=a.service", "--as-service", "--check"]) == wanted)
    #expect(try RigArguments(["--seconds", "2.5"]).seconds == 2.5)
    #expect(try RigArguments([]) == RigArguments())
  }

  @Test(
    "reports a wrong argument, and says what to type",
    arguments: [
      (["--chek"], "did you mean --check?"), (["a", "b"], "remove b"), (["--seconds"], "--seconds 60"),
      (["--seconds", "-1"], "above 0"), (["--seconds=nan"], "above 0"), (["--unit"], "--unit FILE"),
      (["--check=1"], "--check takes no value"), (["--as-service"], "--check --as-service"),
      (["--check", "--unit", "a"], "--as-service --unit FILE"), (["--check", "--seconds", "1"], "--seconds"),
      (["--example", "rig.conf"], "cannot be combined"), (["--devices", "--check"], "cannot be combined"),
    ])
  func wrong(words: [String], part: String) {
    #expect {
      _ = try RigArguments(words)
    } throws: {
      "\($0)".contains(part)
    }
  }

  @Test("exits with 0 for success, 1 if the check found something, 64 for wrong arguments")
  func status() {
    var text = ""
    #expect(RigProgram.run(["--example"]) { text += $0 } == 0 && text == RigExample.text)
    #expect(RigProgram.run(["--check", "/nonexistent/rig.conf"]) { _ in } == 1)
    #expect(RigProgram.run(["--chek"]) { _ in } == 64)
  }

  @Test("lists devices under the headings that read them, as a configuration names them")
  func devices() throws {
    let board = NamedDevice(name: "serial:/dev/ttyACM0", about: "a board", isReal: true)
    let text = RigDevices.text([(AnySensorKind(.accel), []), (AnySensorKind(.channels), [board])])
    #expect(text == "[sensor]\n  source = serial:/dev/ttyACM0  # a board\n")
    let read = RigReader.reading("[rig]\nto = 10.0.0.1:9000\n" + text, file: "rig.conf")
    #expect(read.problems.isEmpty && read.configuration.streams[0].source == "serial:/dev/ttyACM0")
  }

  @Test("the list of devices escapes the control characters in their names")
  func hostileNames() {
    let pad = NamedDevice(name: "evdev:a\u{1B}[2J", about: "a\nb", isReal: true)
    #expect(
      RigDevices.text([(AnySensorKind(.buttons), [pad])])
        == "[buttons]\n  source = evdev:a\\u{1b}[2J  # a\\u{a}b\n")
  }

  @Test("lists a device by its link or by its driver's name, which stay the same, if that is unambiguous")
  func lastingNames() throws {
    let folder = Scratch()
    let (port, byID) = ("\(folder.path)/ttyACM1", "\(folder.path)/by-id")
    let link = "\(byID)/usb-Arduino_Uno_5583-if00"
    WholeFile.write("", to: port, isPrivate: false)
    #expect(mkdir(byID, 0o700) == 0 && symlink(port, link) == 0)
    let names = LastingNames(
      byID: byID,
      inputs: [
        ("/dev/input/event1", "Pad"), ("/dev/input/event2", "Twin"), ("/dev/input/event3", "Twin"),
        ("/dev/input/event4", "Pad #2"), ("/dev/input/event5", "a/b"), ("/dev/input/event6", ""),
      ], chips: [("0", "als"), ("1", "7")])
    func listed(_ name: String, _ about: String) -> [String] {
      let device = names.name(NamedDevice(name: name, about: about, isReal: true))
      return [device.name, device.about]
    }
    #expect(listed("serial:\(port)", "a board") == ["serial:\(link)", "a board, now serial:\(port)"])
    #expect(listed("serial:/dev/ttyACM77", "a board") == ["serial:/dev/ttyACM77", "a board"])
    #expect(listed("evdev:/dev/input/event1", "Pad") == ["evdev:Pad", "now evdev:/dev/input/event1"])
    for number in 2...6 {
      let name = "evdev:/dev/input/event\(number)"
      #expect(listed(name, "x") == [name, "x"])
    }
    #expect(listed("iio:0", "als") == ["iio:als", "now iio:0"])
    #expect(listed("iio:1", "7") == ["iio:1", "7"])
    #expect(listed("w1:28-0316a2797bff", "a thermometer") == ["w1:28-0316a2797bff", "a thermometer"])
    withExtendedLifetime(folder) {}
  }

  @Test("messages contain the name of the running program")
  func names() {
    #expect(ToolName.rig(of: "/usr/bin/momu-rig") == "momu-rig" && ToolName.rig(of: "momu") == "momu rig")
    #expect(ToolName.devices(of: "momu-rig") == "momu-rig --devices")
    #expect(ToolName.devices(of: "/usr/bin/momu") == "momu devices")
  }
}
