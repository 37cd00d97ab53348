import ArgumentParser

/// The options that every program of MoMu's has, for a verb that is one.
struct CommonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Where sound goes: default, jack, hw:1, virtual, wav:FILE, none.", valueName: "DEVICE")
  )
  var audio: String?

  @Option(help: ArgumentHelp("Frames a second; without it the device's own.", valueName: "HZ"))
  var rate: String?

  @Option(help: ArgumentHelp("Frames the callback is given at once, 16 to 8192.", valueName: "FRAMES"))
  var block: String?

  @Option(help: ArgumentHelp("Output channels, 1 to 64.", valueName: "N"))
  var channels: String?

  @Option(
    help: ArgumentHelp(
      "What moves it: evdev:PATH, keys, net, sim:still, sim:shake, sim:tilt, tape:FILE.", valueName: "SOURCE")
  )
  var accel: String?

  @Option(
    help: ArgumentHelp("Where messages come from: udp:6449 (a port), tape:FILE, none.", valueName: "SOURCE"))
  var net: String?

  @Option(help: ArgumentHelp("Milliseconds by which this device sounds too late.", valueName: "MS"))
  var trim: String?

  @Option(help: ArgumentHelp("Stop after so many seconds.", valueName: "N"))
  var seconds: String?

  @Option(help: ArgumentHelp("Make everything random repeat exactly.", valueName: "N"))
  var seed: String?

  @Option(help: ArgumentHelp("Record the readings to a tape.", valueName: "FILE"))
  var recordTape: String?

  @Flag(help: "Render as fast as possible, in counted time; needs no device.")
  var offline = false

  @Flag(help: "Stop at the first thing the audio callback must not do, and show where.")
  var checkRealtime = false

  @Flag(help: "No picture: a line for each event, without cursor movements, for screen readers.")
  var plain = false

  @Flag(help: "No meter, no picture and no notices.")
  var quiet = false

  /// As a program's own command line has them.
  var arguments: [String] {
    var words: [String] = []
    let values = [
      ("--audio", audio), ("--rate", rate), ("--block", block), ("--channels", channels),
      ("--accel", accel), ("--net", net), ("--trim", trim), ("--seconds", seconds),
      ("--seed", seed), ("--record-tape", recordTape),
    ]
    for (flag, value) in values {
      if let value { words += ["\(flag)=\(value)"] }
    }
    let flags = [
      ("--offline", offline), ("--check-realtime", checkRealtime), ("--plain", plain), ("--quiet", quiet),
    ]
    for (flag, isSet) in flags where isSet { words.append(flag) }
    return words
  }
}
