import Glibc

/// The output of a program that has run (standard output and standard error together), and its exit status.
///
/// The program's settings, state and temporary files are in a folder of this run, which is removed
/// after the run. So a test neither depends on the settings of the user that runs it, nor changes them.
public struct ProgramRun {
  /// The complete output.
  public let text: String
  /// The exit status; if a signal ended the program, the negative number of the signal.
  public let status: Int32

  /// Runs a program of this package that is built into the same folder as the tests.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - arguments: words for the shell, which are not put in quotes.
  ///   - before: shell text before the command, such as `ulimit -f 100;`.
  public init(_ name: String, _ arguments: String..., before: String = "") {
    self.init(
      shell: before + " " + (["'\(ProgramRun.folder)/\(name)'"] + arguments).joined(separator: " "))
  }

  /// The folder of the built programs.
  public static var folder: String {
    let tests = realpath("/proc/self/exe", nil)
    defer { free(tests) }
    return tests.map { "/" + String(cString: $0).split(separator: "/").dropLast().joined(separator: "/") }
      ?? ""
  }

  /// Runs a line of shell commands.
  public init(shell line: String) {
    // Test threads block signals, and a child process would inherit the blocked signals.
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var bytes: [UInt8] = []
    let own = Scratch()
    defer { withExtendedLifetime(own) {} }
    let folders = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"].map {
      "\($0)='\(own.path)'"
    }
    let environment =
      "export SWIFT_BACKTRACE=enable=no \(folders.joined(separator: " ")) \(ProgramRun.soundless(in: own.path));"
    guard let output = popen("exec 2>&1; \(environment) " + line, "r") else {
      text = ""
      status = -1
      return
    }
    while case let letter = fgetc(output), letter != EOF { bytes.append(UInt8(truncatingIfNeeded: letter)) }
    let ended = pclose(output)
    text = String(decoding: bytes, as: UTF8.self)
    status = ended & 0x7f == 0 ? (ended >> 8) & 0xff : -(ended & 0x7f)
  }

  /// Runs a line of shell commands in its own network namespace with only loopback, so that every port is free.
  ///
  /// If the user is not root, the line runs as root of a user namespace (`unshare --map-root-user`).
  public init(alone line: String) {
    let quoted = line.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    let root = geteuid() == 0 ? "" : "--map-root-user "
    self.init(shell: "exec unshare --net \(root)sh -c 'ip link set lo up; \(quoted)'")
  }

  /// Returns environment variables with which a program finds no sound server and no `default` device, but still the
  /// sound cards.
  private static func soundless(in folder: String) -> String {
    let path = "\(folder)/asound.conf"
    let cards = ["pcm", "ctl"].map { kind in
      let device = kind == "pcm" ? "device $DEV subdevice $SUBDEV" : ""
      let numbers =
        kind == "pcm" ? "@args.DEV { type integer default 0 } @args.SUBDEV { type integer default -1 }" : ""
      return """
        \(kind).hw { @args [ CARD \(kind == "pcm" ? "DEV SUBDEV" : "") ] @args.CARD { type string default "0" }
          \(numbers) type hw card $CARD \(device) }

        """
    }
    if let file = fopen(path, "w") {
      fputs(cards.joined(), file)
      fclose(file)
    }
    return "ALSA_CONFIG_PATH='\(path)' JACK_DEFAULT_SERVER=momu-none PIPEWIRE_REMOTE=momu-none "
      + "PULSE_SERVER=unix:/nonexistent"
  }

  /// The lines of the output.
  public var lines: [Substring] { text.split(separator: "\n") }
}
