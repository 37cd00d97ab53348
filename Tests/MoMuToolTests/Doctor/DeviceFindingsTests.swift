import MoMIDI
import MoMu
import MoRig
import MoRuntime
import MoTesting
import Testing

@testable import MoMuTool

@Suite("The doctor on recorded machines' devices")
struct DeviceFindingsTests {
  @Test(
    "on a studio's machine, finds groups, limits, governor, a busy card and a busy board, each with its fix")
  func studio() throws {
    let found = deviceFindings(try RecordedMachine("studio").inventory())
    let text = FindingText.plain([], port: 6_449, devices: found)
    let rule =
      "momu doctor --udev-rule | sudo tee /etc/udev/rules.d/60-momu.rules && sudo udevadm control --reload && "
      + "sudo udevadm trigger"
    #expect(
      text == """
        The network, for OSC on UDP port 6449:


        Sound, MIDI, sensors and boards:

          PROBLEM  groups    anna may not use hw:CARD=PCH,DEV=3
                   why: MoMu ignores it, or waits for it as if it were missing
                   fix: sudo usermod -aG audio anna, then log in again
          PROBLEM  groups    anna may not use evdev:Wireless Controller Motion Sensors
                   why: MoMu ignores it, or waits for it as if it were missing
                   fix: sudo usermod -aG input anna, then log in again
          PROBLEM  groups    anna may not use \
        serial:/dev/serial/by-id/usb-Arduino__www.arduino.cc__0043_85430353531351B09121-if00, serial:/dev/ttyUSB0
                   why: MoMu ignores it, or waits for it as if it were missing
                   fix: you are in the group 'dialout' only after the next login: log out, then log in again
          note     limits    the audio thread lacks real-time priority (allowed 0, needed 4)
                   why: other programs on this machine may make the sound crackle
                   fix: sudo apt install rtkit, which is enough with a desktop
                        or, without a desktop:
                        momu doctor --limits | sudo tee /etc/security/limits.d/60-momu.conf
                        sudo usermod -aG audio anna, then log in again
          note     limits    the audio thread may lock only 64 KiB of memory
                   why: the sound drops out while swapped memory is read back from the disk
                   fix: momu doctor --limits | sudo tee /etc/security/limits.d/60-momu.conf
                        sudo usermod -aG audio anna, then log in again
          note     governor  the processor runs at its lowest speed (powersave)
                   why: an instrument that plays well at full speed drops blocks at this speed
                   fix: echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor (until the next start)
          note     sound     hw:CARD=USB,DEV=0 is in use by pipewire (process 2401)
                   why: other programs cannot open it by that name
                   fix: share the card: --audio default
                        or end that program: systemctl --user stop pipewire.socket pipewire-pulse.socket pipewire wireplumber
          ok       sound     free sound cards: hw:CARD=PCH,DEV=0, hw:CARD=PCH,DEV=3
          ok       midi      for --midi: nanoKEY2 MIDI 1
          ok       midi      for --midi-out: Midi Through Port-0, nanoKEY2 MIDI 1, \
        FLUID Synth (2401): Synth input port (2401:0)
          note     midi      avahi-daemon does not run
                   why: MIDI peers in the network are not found by their names
                   fix: sudo apt install avahi-daemon && sudo systemctl start avahi-daemon
                        or name the peer's address: --midi net:HOST:PORT
          ok       sensors   accelerometer evdev:Wireless Controller Motion Sensors, \
        gyroscope evdev:Wireless Controller Motion Sensors
          note     sensors   MoMu must poll iio:accel_3d for each value
                   why: only with the right to enable its buffer, MoMu receives every sample with the kernel's time stamp
                   fix: \(rule)
          PROBLEM  boards    \
        serial:/dev/serial/by-id/usb-Arduino__www.arduino.cc__0043_85430353531351B09121-if00 is in use by ModemManager \
        (process 3001)
                   why: if two programs read a board, each receives only a part of the data
                   fix: \(rule)
                        and now: sudo systemctl restart ModemManager
          ok       boards    serial ports: serial:/dev/ttyUSB0

        4 problems, 6 notes.

        """)
  }

  @Test("has no findings left when all advice was followed")
  func cured() throws {
    var inventory = try RecordedMachine("studio").inventory()
    let open = FileRights(group: 104, isForGroup: true, mayRead: true, mayWrite: true)
    for card in inventory.cards.indices {
      for device in inventory.cards[card].devices.indices {
        inventory.cards[card].devices[device].rights = open
        inventory.cards[card].devices[device].holder = nil
      }
    }
    for index in inventory.inputs.indices { inventory.inputs[index].rights = open }
    for index in inventory.ports.indices {
      inventory.ports[index].rights = open
      inventory.ports[index].holder = nil
    }
    inventory.midi?.rights = open
    inventory.hasAvahi = true
    inventory.sensors[0].mayBuffer = true
    inventory.sensors[0].rights = open
    inventory.limits = Limits(priority: 95, locked: 67_108_864)
    inventory.governors = ["schedutil"]
    inventory.probingPrograms = []
    #expect(deviceFindings(inventory).allSatisfy { $0.level == .ok })
  }

  @Test("on a bare Pi, names what is missing and what to use instead")
  func bare() {
    var inventory = DeviceInventory()
    inventory.person.name = "pi"
    inventory.governors = ["ondemand", "ondemand"]
    inventory.probingPrograms = ["brltty"]
    let found = deviceFindings(inventory)
    #expect(!found.contains { $0.level == .problem })
    #expect(found.first { $0.topic == "sound" }?.what == "no sound card found")
    #expect(found.first { $0.topic == "sensors" }?.what == "no accelerometer found")
    #expect(found.first { $0.topic == "governor" }?.what.contains("(ondemand)") == true)
    #expect(
      found.first { $0.topic == "boards" }?.fix == ["sudo apt remove brltty, if no user here reads Braille"])
    inventory.container = "docker"
    #expect(
      deviceFindings(inventory).first { $0.topic == "sound" }?.fix
        == ["docker run --device /dev/snd …, if the host has a sound card"])
  }

  @Test("accepts that gpsd uses a receiver, and shows how to take a board back from it")
  func receiver() {
    var inventory = DeviceInventory()
    inventory.ports = [
      SerialDevice(
        path: "/dev/ttyUSB0", link: "/dev/serial/by-id/usb-Silicon_Labs_CP2102-if00-port0", title: nil)
    ]
    inventory.ports[0].holder = ResourceOwner(name: "gpsd", process: 700)
    let found = boardFindings(inventory)
    #expect(found.map(\.level) == [.note])
    #expect(
      found.first?.fix == [
        "if it is a board: sudo gpsdctl remove /dev/ttyUSB0",
        "and permanently, in /etc/default/gpsd: USBAUTO=\"false\", and a receiver's name, if you have one, in DEVICES",
      ])
  }

  @Test(
    "with rtkit, the limits need not allow real-time priority, but must allow locked memory"
  )
  func rtkit() {
    var inventory = DeviceInventory()
    inventory.limits = Limits(priority: 0, locked: 67_108_864)
    #expect(limitFindings(inventory).map(\.level) == [.note])
    inventory.hasRtkit = true
    #expect(limitFindings(inventory).map(\.what) == ["rtkit gives the audio thread its real-time priority"])
    inventory.limits.locked = 65_536
    #expect(limitFindings(inventory).map(\.level) == [.ok, .note])
  }

  @Test(
    "names the sound server with its output; without outputs, shows the command that starts it")
  func server() {
    var inventory = DeviceInventory()
    let sink = SoundServer.Sink(name: "alsa_output.pci", title: "Built-in Audio", isDefault: true)
    inventory.server = SoundServer(type: "pipewire", sinks: [sink])
    #expect(
      soundFindings(inventory).map(\.what) == ["--audio default plays through PipeWire on Built-in Audio"])
    inventory.server = SoundServer(type: "pulse", sinks: [])
    let found = soundFindings(inventory)
    #expect(found.map(\.what) == ["--audio default uses PulseAudio, which lists no outputs"])
    #expect(found.first?.fix == ["systemctl --user start pulseaudio, or pipewire-pulse if you use PipeWire"])
  }

  @Test("of MIDI, names each obstacle with what to type, and the ports of a machine without any")
  func midi() throws {
    var inventory = try RecordedMachine("studio").inventory()
    inventory.hasAvahi = true
    func found() -> Finding? { midiFindings(inventory).first }
    inventory.midi?.rights = nil
    #expect(found()?.what == "the file /dev/snd/seq is missing" && found()?.fix == ["sudo modprobe snd-seq"])
    inventory.container = "podman"
    #expect(found()?.fix == ["podman run --device /dev/snd …"])

    inventory.midi?.rights = FileRights(group: 29, isForGroup: true, mayRead: true, mayWrite: true)
    #expect(
      midiFindings(inventory) == [
        .ok("midi", "for --midi: nanoKEY2 MIDI 1"),
        .ok(
          "midi",
          "for --midi-out: Midi Through Port-0, nanoKEY2 MIDI 1, FLUID Synth (2401): Synth input port (2401:0)"
        ),
      ])
    inventory.midi?.ports = []
    #expect(found()?.what == "no MIDI keyboard is connected" && found()?.level == .note)

    inventory.midi?.programs = Array(repeating: "loop", count: 60) + Array(repeating: "Pure Data", count: 4)
    #expect(found()?.level == .problem)
    #expect(found()?.what == "all 64 client numbers of the ALSA sequencer are in use")
    #expect(found()?.fix.first == "close programs that have many ports: loop 60, Pure Data 4")

    inventory.midi = nil
    #expect(found()?.level == .problem && found()?.fix.first == "on the host: sudo modprobe snd-seq")
    inventory.container = nil
    inventory.cards = []
    #expect(found()?.level == .note && found()?.fix.first == "sudo modprobe snd-seq")
  }

  @Test("lists the group ports of a MIDI 2.0 device, but not its port for all messages")
  func groups() {
    let root = Scratch()
    WholeFile.write(
      """
      Client  24 : "Keystage" [Kernel UMP-MIDI2]
        Port   0 : "MIDI 2.0" (RWeX) [In/Out]
        Port   1 : "Group 1 (Main)" (RWeX) [In/Out]
      Client  28 : "Old" [Kernel UMP-MIDI1]
        Port   0 : "MIDI 2.0" (RWeX) [In/Out]
      Client 129 : "Program" [User UMP-MIDI2]
        Port   0 : "in" (-We-) [In]
        Port   1 : "out" (R-e-) [Out]

      """, to: root.file("proc/asound/seq/clients"), isPrivate: false)
    #expect(
      SystemReader(root: root.path).midi()?.ports.map(\.address) == [
        MIDIAddress(24, 1), MIDIAddress(28, 0), MIDIAddress(129, 0), MIDIAddress(129, 1),
      ])
  }

  @Test("counts only programs as clients of the sequencer")
  func clients() throws {
    #expect(try RecordedMachine("studio").inventory().midi?.programs == ["FLUID Synth (2401)"])
  }

  @Test("accepts powersave on a processor that chooses its own speed")
  func ownChoice() {
    var inventory = DeviceInventory()
    inventory.governors = ["powersave"]
    inventory.governorDriver = "intel_pstate"
    #expect(governorFindings(inventory).first?.level == .ok)
    inventory.governorDriver = "acpi-cpufreq"
    #expect(governorFindings(inventory).first?.level == .note)
  }

  @Test("reads the limits that the shell has set")
  func limits() {
    let run = ProgramRun(
      shell: """
        ulimit -l 100; ulimit -r 0
        '\(ProgramRun.folder)/momu' doctor --limits | grep -c '^@audio'
        """)
    #expect(run.text == "2\n")
    #expect(SystemReader().limits().locked != 0)
  }

  @Test(
    "every line of the udev rule is a list of keys, operators and quoted values")
  func udevRule() throws {
    let pair = /[A-Z]+(\{[A-Za-z_]+\})?(==|!=|=|\+=)"[^"]*"/
    let lines = UdevRule.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == 11)
    for line in lines {
      #expect(
        line.contains { $0 == "\"" } && line.wholeMatch(of: /(?:[^,"]+"[^"]*"(?:, )?)+/) != nil, "\(line)")
      #expect(line.matches(of: pair).map { String($0.0) }.joined(separator: ", ") == line)
    }
  }
}
