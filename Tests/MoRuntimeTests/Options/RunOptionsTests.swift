import MoRuntime
import Testing

@Suite("The options")
struct RunOptionsTests {
  @Test("reads every option in both spellings")
  func all() throws {
    let options = try RunOptions(arguments: [
      "--audio", "wav:a.wav", "--accel=sim:shake", "--seconds", "2.5", "--offline",
      "--seed=18446744073709551615",
      "--record-tape", "t.osc", "--check-realtime", "--list-devices", "--quiet", "--help",
    ])
    #expect(options.audio == "wav:a.wav")
    #expect(options.accel == "sim:shake")
    #expect(options.seconds == 2.5)
    #expect(options.seed == .max)
    #expect(options.recordTape == "t.osc")
    #expect(options.offline && options.checkRealtime && options.listDevices && options.quiet && options.help)
    #expect(try RunOptions(arguments: ["-h"]).help)
  }

  @Test("every option sets a property of its own, also by its variable and in the configuration file")
  func every() throws {
    let texts = ["rate": "44100", "block": "64", "midi-clock": "lead", "view": "stage"]
    var all = [RunOptions()]
    for option in RunOption.table {
      let text = texts[option.name] ?? "1"
      var typed = try RunOptions(arguments: [option.value == .none ? option.flag : "\(option.flag)=\(text)"])
      var exported = try RunOptions(arguments: [], environment: [option.variable: text])
      let configured = try RunOptions(arguments: [], configuration: [option.key: text])
      #expect(typed.given == [option.name] && exported.given == [option.name] && configured.given == [])
      typed.given = []
      exported.given = []
      #expect(typed == configured && exported == configured, "\(option.flag)")
      #expect(!all.contains(typed), "\(option.flag)")
      all.append(typed)
    }
  }

  @Test("an option overrides its variable, which overrides the configuration")
  func precedence() throws {
    let configuration = ["audio": "hw:0", "accel": "keys", "seed": "1"]
    let environment = [
      "MOMU_AUDIO": "hw:1", "MOMU_RECORD_TAPE": "e.osc", "MOMU_ACCEL": "sim:tilt", "HOME": "/",
    ]
    let options = try RunOptions(
      arguments: ["--audio", "hw:2"], environment: environment, configuration: configuration)
    #expect(options.audio == "hw:2")
    #expect(options.accel == "sim:tilt")
    #expect(options.recordTape == "e.osc")
    #expect(options.seed == 1)
  }

  @Test("a flag's variable is on with 1 and off with 0, and overrides the configuration")
  func flags() throws {
    let quiet = try RunOptions(arguments: [], environment: ["MOMU_QUIET": "1"])
    #expect(quiet.quiet)
    let loud = try RunOptions(
      arguments: [], environment: ["MOMU_QUIET": "0"], configuration: ["quiet": "1"])
    #expect(!loud.quiet)
  }

  @Test("a text that begins with two hyphens is a value after = and in a variable, not as the next word")
  func hyphens() throws {
    #expect(try RunOptions(arguments: ["--passkey=--secret"]).passkey == "--secret")
    #expect(try RunOptions(arguments: [], environment: ["MOMU_PASSKEY": "--secret"]).passkey == "--secret")
    #expect(throws: OptionError.self) { try RunOptions(arguments: ["--passkey", "--secret"]) }
  }

  @Test("an option that only some programs obey is remarked upon if it was given and is not obeyed")
  func unobeyed() throws {
    let run = try Run(
      RunOptions(arguments: ["--midi", "nano", "--accel", "keys"], environment: ["MOMU_MIDI_CLOCK": "lead"]))
    #expect(
      run.remarksOnOptions.map { $0.prefix(26) } == [
        "--midi has no effect: this", "--midi-clock has no effect",
      ])
    run.markUsed("midi-clock")
    run.markUsed("midi")
    #expect(run.remarksOnOptions.isEmpty)
    #expect(try Run(RunOptions(arguments: ["--midi", "none"])).remarksOnOptions.isEmpty)
    let configured = try RunOptions(arguments: [], configuration: ["midi-clock": "lead"])
    #expect(Run(configured).remarksOnOptions.isEmpty)
  }

  static let wrong: [(arguments: [String], text: String)] = [
    (["--acel", "keys"], "unknown option --acel: did you mean --accel? --help lists all options"),
    (["--frobnicate"], "unknown option --frobnicate: --help lists all options"),
    (["shake"], "shake is not an option: options begin with --, and --help lists them"),
    (
      ["--audio"],
      "--audio needs a value: --audio DEVICE "
        + "(sound output: default, jack, hw:1, virtual, wav:FILE, none)"
    ),
    (
      ["--audio", "--quiet"],
      "--audio needs a value: --audio DEVICE "
        + "(sound output: default, jack, hw:1, virtual, wav:FILE, none)"
    ),
    (
      ["--gyro="],
      "--gyro needs a value: --gyro SOURCE (gyroscope: evdev:PATH, iio:N, net, sim:turn, tape:FILE)"
    ),
    (
      ["--midi-channel", "17"],
      "--midi-channel is \"17\", but must be a whole number as a channel from 1 to 16, such as 1"
    ),
    (["--midi-clock", "led"], "--midi-clock is \"led\", but must be lead or follow"),
    (["--view", "hall"], "--view is \"hall\", but must be room or stage"),
    (
      ["--conductor-only", "0"],
      "--conductor-only is \"0\", but must be an installation's ID of up to 16 hexadecimal digits"
    ),
    (
      ["--trim", "1001"],
      "--trim is \"1001\", but must be a number of milliseconds from -1000 to 1000, such as 12.5"
    ),
    (
      ["--seconds", "--quiet"],
      "--seconds needs a value: --seconds SECONDS (stop after this many seconds)"
    ),
    (
      ["--seconds", "nan"], "--seconds is \"nan\", but must be a number of seconds above 0, such as 10 or 0.5"
    ),
    (["--seconds", "-1"], "--seconds is \"-1\", but must be a number of seconds above 0, such as 10 or 0.5"),
    (
      ["--rate", "fast"],
      "--rate is \"fast\", but must be a whole number of frames per second from 4000 to 768000, such as 48000"
    ),
    (
      ["--rate=1000000"],
      "--rate is \"1000000\", but must be a whole number of frames per second from 4000 to 768000, such as 48000"
    ),
    (
      ["--block", "7"], "--block is \"7\", but must be a whole number of frames from 16 to 8192, such as 256"
    ),
    (
      ["--block", "0"], "--block is \"0\", but must be a whole number of frames from 16 to 8192, such as 256"
    ),
    (
      ["--block", "2.5"],
      "--block is \"2.5\", but must be a whole number of frames from 16 to 8192, such as 256"
    ),
    (
      ["--channels", "0"],
      "--channels is \"0\", but must be a whole number of channels from 1 to 64, such as 2"
    ),
    (
      ["--channels=two"],
      "--channels is \"two\", but must be a whole number of channels from 1 to 64, such as 2"
    ),
    (["--seed", "x"], "--seed is \"x\", but must be a whole number from 0, such as 1"),
    (["--quiet=1"], "--quiet takes no value: type it alone"),
  ]

  @Test("reports an error in one line that tells what to type", arguments: wrong)
  func messages(arguments: [String], text: String) {
    let error = #expect(throws: OptionError.self) { try RunOptions(arguments: arguments) }
    #expect(error?.description == text)
  }

  private static let own: [RunOption] = [
    .own("kit", "FOLDER", help: "your own sounds"), .own("conduct", nil, help: "start the rhythm"),
  ]

  @Test("a program's own options are read beside the options of every program, also from variables")
  func ownOptions() throws {
    let options = try RunOptions(
      arguments: ["--kit", "drums", "--audio=none"], environment: ["MOMU_KIT": "pads", "MOMU_CONDUCT": "1"],
      own: Self.own)
    #expect(options.own.mapValues(\.text) == ["kit": "drums", "conduct": "1"] && options.audio == "none")
    #expect(options.own.mapValues(\.source) == ["kit": "--kit", "conduct": "MOMU_CONDUCT"])
    let off = try RunOptions(arguments: [], environment: ["MOMU_CONDUCT": "0"], own: Self.own)
    #expect(off.own.isEmpty)
    #expect(try RunOptions(arguments: [], environment: ["MOMU_KIT": "pads"]).own.isEmpty)
  }

  @Test(
    "an error in a program's own option names the option, and what to type",
    arguments: [
      (["--kti", "drums"], "unknown option --kti: did you mean --kit? --help lists all options"),
      (["--kit"], "--kit needs a value: --kit FOLDER (your own sounds)"),
      (["--kit", "--quiet"], "--kit needs a value: --kit FOLDER (your own sounds)"),
      (["--conduct=yes"], "--conduct takes no value: type it alone"),
    ])
  func wrongOwnOptions(arguments: [String], text: String) {
    let error = #expect(throws: OptionError.self) { try RunOptions(arguments: arguments, own: Self.own) }
    #expect(error?.description == text)
  }

  @Test("a program cannot declare an option that it already has", arguments: ["audio", "kit"])
  func declaredTwice(name: String) {
    let error = #expect(throws: OptionError.self) {
      try RunOptions(arguments: [], own: Self.own + [.own(name, "NAME", help: "")])
    }
    let text = "this program declares --\(name), which it already has: give its own option another name"
    #expect(error?.description == text)
  }

  @Test("help lists a program's own options before the options of every program")
  func help() {
    let lines = HelpText.text(about: "Drums.", program: "drums", own: Self.own).split(separator: "\n")
    let expected = ["Options of this program:", "  --kit FOLDER", "  --conduct", "Options of every program:"]
    #expect(zip(lines.dropFirst(2), expected).allSatisfy { $0.hasPrefix($1) })
    #expect(!HelpText.text(about: "", program: "").contains("Options of"))
  }

  @Test("options, variables and configuration set the device's parameters alike")
  func device() throws {
    let options = try RunOptions(
      arguments: ["--block=512"], environment: ["MOMU_BLOCK": "64", "MOMU_RATE": "44100"],
      configuration: ["rate": "96000", "channels": "4"])
    #expect(options.block == 512 && options.rate == 44_100 && options.channels == 4)
  }

  @Test("names the variable if its value is wrong")
  func variable() {
    let error = #expect(throws: OptionError.self) {
      try RunOptions(arguments: [], environment: ["MOMU_SEED": "-3"])
    }
    #expect(error?.description == "MOMU_SEED is \"-3\", but must be a whole number from 0, such as 1")
    let flag = #expect(throws: OptionError.self) {
      try RunOptions(arguments: [], environment: ["MOMU_QUIET": "maybe"])
    }
    #expect(flag?.description == "MOMU_QUIET is \"maybe\", but must be 1 or 0")
  }

  @Test("outside MoApp, a wrong variable changes no option, and the other variables count")
  func skipped() throws {
    var options = try RunOptions(configuration: ["seed": "1", "trim": "7"])
    let errors = options.read(environment: [
      "MOMU_SEED": "-3", "MOMU_ROOM": "Lab", "MOMU_QUIET": "maybe", "MOMU_NAME": "", "MOMU_TRIM": "8",
    ])
    #expect(
      errors.map(\.description).sorted() == [
        "MOMU_QUIET is \"maybe\", but must be 1 or 0",
        "MOMU_SEED is \"-3\", but must be a whole number from 0, such as 1",
      ])
    #expect(options.room == "Lab" && options.trim == 8 && options.seed == 1 && !options.quiet)
    #expect(options.given == ["room", "trim"])
  }
}
