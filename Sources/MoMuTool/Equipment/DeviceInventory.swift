import MoMu

/// The devices of a machine for music, and the rights to use them.
///
/// These are plain values, so that the texts about them can be tested on any machine.
struct DeviceInventory: Equatable {
  var person = UserAccount()
  var cards: [SoundCard] = []
  /// The sound server behind `default`; nil if `default` is a card or missing.
  var server: SoundServer?
  var inputs: [InputDevice] = []
  var sensors: [SensorChip] = []
  var ports: [SerialPort] = []
  /// The MIDI sequencer; nil if the kernel has none.
  var midi: MIDIEquipment?
  /// Whether Avahi runs, which finds MIDI peers in the network.
  var hasAvahi = false
  var limits = Limits()
  /// Whether rtkit is installed, which gives real-time priority to the logged-in user.
  var hasRtkit = false
  /// The frequency governor of each processor.
  var governors: [String] = []
  /// The frequency driver of the processors.
  var governorDriver: String?
  /// Running programs that open serial ports by themselves: `ModemManager`, `brltty`.
  var takers: [String] = []
  /// The kind of container, such as `docker` or `podman`; nil outside a container.
  var container: String?

  /// All devices that sensors can read.
  var sensing: [any SensingDevice] { (inputs as [any SensingDevice]) + sensors }
}

/// The resource limits of this program.
struct Limits: Equatable {
  /// The highest SCHED_FIFO priority that the program may request; nil if unknown or unlimited.
  var priority: Int?
  /// The bytes of memory that the program may lock; nil if unknown or unlimited.
  var locked: Int?
}

/// A sound card and its devices.
struct SoundCard: Equatable {
  var index: Int
  /// The card's ID, which stays when its number changes: `PCH`.
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
  /// The rights to the device's file; nil if the file is missing.
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
  /// The axes by their names for `MoSensor`: `ABS_X`.
  var channels: [String] = []
  var rumbles = false
  var rights: FileRights?

  /// The name for options: the device's name, which stays when the number changes, or the path for a shared name.
  var name: String {
    let isName = !title.isEmpty && !isAmbiguous && !title.contains { "/?".contains($0) }
    return "evdev:\(isName ? title : path)"
  }
}

/// A device of Industrial I/O.
struct SensorChip: SensingDevice, Equatable {
  /// The folder: `/sys/bus/iio/devices/iio:device0`.
  var path: String
  var number: String
  var title: String
  var isAmbiguous = false
  var uses: [String] = []
  /// The channels that `MoSensor` can read: `illuminance`.
  var channels: [String] = []
  /// The rights to `/dev/iio:deviceN`, which delivers whole scans; nil if the file is missing.
  var rights: FileRights?
  /// Whether the user may enable the device's buffer; nil for a device without a buffer.
  var mayBuffer: Bool?

  /// The name for options.
  var name: String {
    let isName = !title.isEmpty && !isAmbiguous && !title.contains("/") && !title.allSatisfy(\.isNumber)
    return "iio:\(isName ? title : number)"
  }
}

/// A serial port that may lead to a board.
struct SerialPort: Equatable {
  /// The device file: `/dev/ttyACM0`.
  var path: String
  /// A link that stays when the number changes: `/dev/serial/by-id/usb-…`.
  var link: String?
  /// The name that the plugged-in device reports.
  var title: String?
  var rights: FileRights?
  /// The program that has the port open; nil if the port is free, or if only root can see the program.
  var holder: ResourceOwner?

  /// The name for options.
  var name: String { "serial:\(link ?? path)" }
}
