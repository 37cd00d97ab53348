import MoMu

/// What a machine has for music: its devices, and who may use them.
///
/// Plain values, so that all that is said of them can be tested anywhere.
struct DeviceInventory: Equatable {
  var person = UserAccount()
  var cards: [SoundCard] = []
  /// The sound server that `default` leads to; nil where it leads to a card or nowhere.
  var server: SoundServer?
  var inputs: [InputDevice] = []
  var sensors: [SensorChip] = []
  var ports: [SerialPort] = []
  var limits = Limits()
  /// Whether rtkit is installed, which gives real-time priority to the user who is logged in.
  var hasRtkit = false
  /// How each processor's speed is chosen, and by which driver.
  var governors: [String] = []
  var governorDriver: String?
  /// Programs that run here and take serial ports for themselves: `ModemManager`, `brltty`.
  var takers: [String] = []
  /// `docker`, `podman` or whatever else holds this container; nil outside of one.
  var container: String?

  /// All that sensors can read.
  var sensing: [any SensingDevice] { (inputs as [any SensingDevice]) + sensors }
}

/// How much this program may have.
struct Limits: Equatable {
  /// The highest priority of SCHED_FIFO that it may ask for; nil where the kernel does not say, or sets no limit.
  var priority: Int?
  /// Bytes that it may lock; nil likewise.
  var locked: Int?
}

/// A sound card, and what plays and records on it.
struct SoundCard: Equatable {
  var index: Int
  /// One word, which stays when the number changes: `PCH`.
  var id: String
  var title: String
  var devices: [PCMDevice] = []
}

/// One of a card's devices.
struct PCMDevice: Equatable {
  var number: Int
  var title: String
  var plays: Bool
  var records: Bool
  /// Of the file that opening it opens; nil where there is none.
  var rights: FileRights?
  /// Who has it open; nil for nobody.
  var holder: ResourceOwner?
}

/// A device of the kernel's input system.
struct InputDevice: SensingDevice, Equatable {
  /// `/dev/input/event5`.
  var path: String
  var title: String
  var isAmbiguous = false
  var uses: [String] = []
  /// Its axes, as `MoSensor` names them: `ABS_X`.
  var channels: [String] = []
  var rumbles = false
  var rights: FileRights?

  /// What options take; by its own name, which stays when the number changes, where that is one and only its own.
  var name: String {
    let isName = !title.isEmpty && !isAmbiguous && !title.contains { "/?".contains($0) }
    return "evdev:\(isName ? title : path)"
  }
}

/// A device of Industrial I/O.
struct SensorChip: SensingDevice, Equatable {
  /// `/sys/bus/iio/devices/iio:device0`.
  var path: String
  var number: String
  var title: String
  var isAmbiguous = false
  var uses: [String] = []
  /// What `MoSensor` can read of it: `illuminance`.
  var channels: [String] = []
  /// Of `/dev/iio:deviceN`, from which whole scans come; nil where there is none.
  var rights: FileRights?
  /// Whether this person may switch its buffer on; nil where it has none.
  var mayBuffer: Bool?

  /// What options take.
  var name: String {
    let isName = !title.isEmpty && !isAmbiguous && !title.contains("/") && !title.allSatisfy(\.isNumber)
    return "iio:\(isName ? title : number)"
  }
}

/// A serial port that a board may be behind.
struct SerialPort: Equatable {
  /// `/dev/ttyACM0`.
  var path: String
  /// A link to it that stays when the number changes: `/dev/serial/by-id/usb-…`.
  var link: String?
  /// What is plugged in, as it calls itself.
  var title: String?
  var rights: FileRights?
  /// Who has it open; nil for nobody, or where only root may see that.
  var holder: ResourceOwner?

  /// What options take.
  var name: String { "serial:\(link ?? path)" }
}
