import MoMIDI
import MoTesting
import Testing

@testable import MoMuTool

@Suite("momu devices on a recorded machine")
struct DeviceTests {
  @Test(
    "lists each device by its name for options, with the sensors that can read it and the reason if it cannot be read"
  )
  func text() throws {
    #expect(
      DeviceText.text(try RecordedMachine("studio").inventory()) == """
        Sound (--audio):
          default            the system's choice
          hw:CARD=PCH,DEV=0  HDA Intel PCH, ALC257 Analog (out, in)
          hw:CARD=PCH,DEV=3  HDA Intel PCH, HDMI 0 (out)
            you may not use it: sudo usermod -aG audio anna, then log in again
          hw:CARD=USB,DEV=0  Scarlett 2i2 USB, USB Audio (out, in); in use by pipewire (process 2401)

        Input devices (evdev):
          evdev:AT Translated Set 2 keyboard        /dev/input/event3: buttons
            you may not read it: sudo usermod -aG input anna, then log in again
          evdev:Wireless Controller                 /dev/input/event12: buttons, \
        sensor ABS_X ABS_Y ABS_Z ABS_RX ABS_RY ABS_RZ ABS_HAT0X ABS_HAT0Y, rumble
          evdev:Wireless Controller Motion Sensors  /dev/input/event13: accel, gyro, \
        sensor ABS_X ABS_Y ABS_Z ABS_RX ABS_RY ABS_RZ
            you may not read it: sudo usermod -aG input anna, then log in again
          evdev:/dev/input/event14                  /dev/input/event14: buttons
            you may not read it: sudo usermod -aG input anna, then log in again
          evdev:/dev/input/event15                  /dev/input/event15: buttons
            you may not read it: sudo usermod -aG input anna, then log in again

        Sensors of Industrial I/O (iio):
          iio:accel_3d  iio:0: accel, sensor accel_x accel_y accel_z
            MoMu must poll it; for the kernel's own time stamps: momu doctor --udev-rule
          iio:als       iio:1: sensor illuminance intensity_both

        MIDI (--midi, --midi-out):
          Midi Through Port-0                            a program (out, in), 14:0
          nanoKEY2 MIDI 1                                a device (out, in), 24:0
          FLUID Synth (2401): Synth input port (2401:0)  a program (out), 129:0

        Serial ports (MoSensor, and [sensor] of a rig):
          serial:/dev/serial/by-id/usb-Arduino__www.arduino.cc__0043_85430353531351B09121-if00  /dev/ttyACM0, \
        Arduino (www.arduino.cc) Arduino Uno, in use by ModemManager (process 3001)
            you may not use it: you are in the group 'dialout' only after the next login: log out, then log in again
          serial:/dev/ttyUSB0  a serial port
            you may not use it: you are in the group 'dialout' only after the next login: log out, then log in again

        """)
  }

  @Test("on a machine without devices, says what to use instead")
  func nothing() {
    #expect(
      DeviceText.text(DeviceInventory()) == """
        Sound (--audio):
          (no sound card: use --audio virtual to play silently, or --audio wav:FILE to write a file)

        Input devices (evdev):
          (no input device: a phone can replace it (--accel net, Docs/Phones.md))

        Sensors of Industrial I/O (iio):
          (none)

        MIDI (--midi, --midi-out):
          (no sequencer: sudo modprobe snd-seq)

        Serial ports (MoSensor, and [sensor] of a rig):
          (none: plug a board in)

        """)
  }

  @Test("the lists escape the control characters in the names of devices and programs")
  func hostileNames() {
    var inventory = DeviceInventory()
    inventory.inputs = [InputDevice(path: "/dev/input/event1", title: "a\u{1B}[2J")]
    inventory.ports = [SerialDevice(path: "/dev/ttyACM0", link: nil, title: "b\nc", rights: nil)]
    let text = DeviceText.text(inventory)
    #expect(text.contains("  evdev:a\\u{1b}[2J  ") && text.contains("  b\\u{a}c\n"))
    let ports = [MIDIPort(MIDIAddress(128, 0), client: "d\u{202E}", name: "e\nf")]
    #expect(MIDIListCommand.text(ports).hasPrefix("d\\u{202e}: e\\u{a}f  device 128:0"))
  }

  @Test("JSON lists the same devices as objects")
  func json() throws {
    let text = DeviceJSON.text(try RecordedMachine("studio").inventory())
    #expect(
      text.hasPrefix(
        #"{"audio":[{"name":"hw:CARD=PCH,DEV=0","title":"HDA Intel PCH, ALC257 Analog","plays":true,"#))
    #expect(
      text.contains(
        #"{"name":"evdev:Wireless Controller Motion Sensors","title":"Wireless Controller Motion Sensors","#
          + #""path":"/dev/input/event13","uses":["accel","gyro","sensor"],"#))
    #expect(
      text.contains(
        #"{"name":"nanoKEY2 MIDI 1","title":"nanoKEY2","client":24,"port":0,"device":true,"in":true,"out":true,"#
      ))
    #expect(
      text.contains(#""heldBy":"ModemManager","advice":"you may not use it: you are in the group 'dialout'"#))
  }

  @Test("the program prints five sections, and JSON that Python reads")
  func program() {
    let run = ProgramRun(
      shell: """
        '\(ProgramRun.folder)/momu' devices --json | python3 -c '
        import json, sys
        found = json.load(sys.stdin)
        assert list(found) == ["audio", "input", "iio", "serial", "midi"]
        assert all(d["name"].split(":")[0] == k for k, n in (("evdev", "input"), ("iio", "iio"), ("serial", "serial")) for d in found[n])
        print("read")'
        '\(ProgramRun.folder)/momu' devices | grep -c '^[A-Z]'
        """)
    #expect(run.text == "read\n5\n")
  }
}
