import MoMu
import MoSensing

/// A machine's sound cards, sensors, serial ports and MIDI ports, with the user's rights to use them.
///
/// These are plain values, so that the texts about the devices can be tested on any machine.
struct DeviceInventory: Equatable {
  var person = UserAccount()
  var cards: [SoundCard] = []
  /// The sound server to which ALSA's device `default` leads; nil if `default` is a card or does not exist.
  var server: SoundServer?
  var inputs: [InputDevice] = []
  var sensors: [SensorChip] = []
  var ports: [SerialDevice] = []
  /// The MIDI sequencer; nil if the kernel has none.
  var midi: MIDIInventory?
  /// Whether Avahi runs, which finds MIDI peers in the network.
  var hasAvahi = false
  var limits = Limits()
  /// Whether rtkit is installed, a service that gives real-time priority to programs of the logged-in user.
  var hasRtkit = false
  /// The frequency governor of each processor, such as `powersave`; empty if the frequency is fixed.
  var governors: [String] = []
  /// The kernel's driver for the processors' frequency, such as `intel_pstate`; nil if there is none.
  var governorDriver: String?
  /// The running programs that open each new serial port without being asked: `ModemManager`, `brltty`.
  var probingPrograms: [String] = []
  /// The kind of container, such as `docker` or `podman`; nil outside a container.
  var container: String?

  /// All devices that may contain sensors: the input devices, then the devices of Industrial I/O.
  var sensing: [any SensingDevice] { (inputs as [any SensingDevice]) + sensors }
}

/// The resource limits of this program, such as those of /etc/security/limits.d.
struct Limits: Equatable {
  /// The highest SCHED_FIFO priority that the program may request; nil if unknown or unlimited.
  var priority: Int?
  /// The amount of memory that the program may lock, in bytes; nil if unknown or unlimited.
  var locked: Int?
}

/// A sound card and its devices.
struct SoundCard: Equatable {
  var index: Int
  /// The card's ID, such as `PCH`, which stays the same when the card's number changes.
  var id: String
  var title: String
  var devices: [PCMDevice] = []
}

/// A device of a sound card.
struct PCMDevice: Equatable {
  var number: Int
  var title: String
  var plays: Bool
  var records: Bool
  /// This program's rights to the device's file; nil if the file is missing.
  var rights: FileRights?
  /// The program that has the device open; nil if the device is free.
  var holder: ResourceOwner?
}

/// A device of the kernel's input subsystem.
struct InputDevice: SensingDevice, Equatable {
  /// The device file: `/dev/input/event5`.
  var path: String
  var title: String
  var isAmbiguous = false
  var uses: [String] = []
  /// The names of the axes that `MoSensor` can read, such as `ABS_X`.
  var channels: [String] = []
  var rumbles = false
  var rights: FileRights?

  /// The device as a value of options such as `--accel`: `evdev:` with its title or its path.
  ///
  /// The title stays the same when the device's number changes. The path is used if another device has the same title,
  /// or if the title is empty or contains `/` or `?`.
  var name: String {
    let isName = !title.isEmpty && !isAmbiguous && !title.contains { "/?".contains($0) }
    return "evdev:\(isName ? title : path)"
  }
}

/// A device of Industrial I/O.
struct SensorChip: SensingDevice, Equatable {
  /// The device's folder: `/sys/bus/iio/devices/iio:device0`.
  var path: String
  var number: String
  var title: String
  var isAmbiguous = false
  var uses: [String] = []
  /// The names of the channels that `MoSensor` can read, such as `illuminance`.
  var channels: [String] = []
  /// This program's rights to `/dev/iio:deviceN`; nil if the file is missing.
  ///
  /// The file delivers each measurement with the values of all channels.
  var rights: FileRights?
  /// Whether the user may enable the device's buffer of measurements in the kernel; nil for a device without a buffer.
  var mayBuffer: Bool?

  /// The device as a value of options such as `--accel`: `iio:` with its title or its number.
  ///
  /// The number is used if another device has the same title, or if the title is empty, contains `/` or is a number.
  var name: String {
    let isName = !title.isEmpty && !isAmbiguous && !title.contains("/") && !title.allSatisfy(\.isNumber)
    return "iio:\(isName ? title : number)"
  }
}

/// A serial port that may lead to a board.
struct SerialDevice: Equatable {
  /// The device file: `/dev/ttyACM0`.
  var path: String
  /// A link to the port that stays the same when the port's number changes: `/dev/serial/by-id/usb-…`; nil for none.
  var link: String?
  /// The name that the plugged-in device reports; nil if it reports no name.
  var title: String?
  var rights: FileRights?
  /// The program that has the port open; nil if the port is free, or if only root can see the program.
  var holder: ResourceOwner?

  /// The port as a source in options and arguments: `serial:` with the link, or with the path if there is no link.
  var name: String { "serial:\(link ?? path)" }
}

/// A device that may contain sensors: an input device, or a device of Industrial I/O.
protocol SensingDevice {
  /// The path of the device's file or folder.
  var path: String { get }
  /// The name that the device reports.
  var title: String { get }
  /// Whether another device has the same title, so that the title does not identify this device.
  var isAmbiguous: Bool { get set }
  /// The kinds of readings that MoMu can get from the device, by their names in options and in a rig's configuration.
  ///
  /// Examples are `accel` and `touch`.
  var uses: [String] { get }
  /// The names of the channels that `MoSensor` can read, such as `ABS_X` or `illuminance`.
  var channels: [String] { get }
  /// The device as a value of options such as `--accel`: `evdev:` or `iio:` with the title, such as `evdev:Joystick`.
  ///
  /// If the title does not identify the device, the path or number replaces the title.
  var name: String { get }
}

extension Array where Element: SensingDevice {
  /// Returns the same devices, but `isAmbiguous` is true for each device whose title another device of the array has,
  /// too.
  var toldApart: [Element] {
    map { device in
      var device = device
      device.isAmbiguous = filter { $0.title == device.title }.count > 1
      return device
    }
  }
}

// The reason why a device cannot be used, and what to type; nil if it can be used.

extension SoundCard {
  /// Returns the value of `--audio` that names exactly this device, such as `hw:CARD=PCH,DEV=0`.
  func name(of device: PCMDevice) -> String { "hw:CARD=\(id),DEV=\(device.number)" }
}

extension PCMDevice {
  func advice(_ card: SoundCard, for person: UserAccount) -> String? {
    guard let rights else {
      return
        "its file /dev/snd/pcmC\(card.index)D\(number)\(plays ? "p" : "c") is missing: in a container, add "
        + "--device /dev/snd"
    }
    guard !rights.mayUse else { return nil }
    return "you may not use it: " + person.opening("/dev/snd/*", rights)
  }
}

extension InputDevice {
  func advice(for person: UserAccount) -> String? {
    guard let rights else { return "its file \(path) is missing: in a container, add --device \(path)" }
    guard !rights.mayRead else {
      return rumbles && !rights.mayWrite ? "it cannot rumble: " + person.opening(path, rights) : nil
    }
    return "you may not read it: " + person.opening(path, rights)
  }
}

extension SensorChip {
  var advice: String? {
    guard mayBuffer == false || mayBuffer == true && rights?.mayRead != true,
      AnySensorKind.all.contains(where: { uses.contains($0.name) && !$0.alwaysPolls })
    else { return nil }
    return "MoMu must poll it; for the kernel's own time stamps: momu doctor --udev-rule"
  }
}

extension SerialDevice {
  func advice(for person: UserAccount) -> String? {
    guard let rights, !rights.mayUse else { return nil }
    return "you may not use it: " + person.opening(path, rights)
  }
}
