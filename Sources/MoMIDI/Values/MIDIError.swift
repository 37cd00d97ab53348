import MoRuntime

/// The reason why MIDI cannot be read or sent; its text says what happened and what to type.
public enum MIDIError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kernel has no ALSA sequencer, or it cannot be opened.
  case noSequencer(reason: String)
  /// This user may not open the ALSA sequencer.
  case noPermission
  /// All client numbers of the ALSA sequencer are in use.
  case clientsTaken
  /// No port has the name in the first value; `nearest` is the most similar name, and `has` lists the existing ports.
  case noPort(String, option: String, nearest: String?, has: [String])
  /// A channel outside 1…16.
  case badChannel(Int)
  /// A number outside its range, such as key 128; the text is the number's name, such as `key`.
  case badNumber(String, Int, range: ClosedRange<Int>)
  /// A value that is NaN or infinite; the text is the value's name, such as `pressure`.
  case noNumber(String)
  /// Bytes that do not form a SysEx message; the text says why.
  case badSysEx(String)
  /// A MIDI file or a tape cannot be read or written.
  case file(String)
  /// A source or target that is in none of the forms of its option, or a setting such as `?track=0` that has no
  /// meaning.
  ///
  /// `option` is `midi` or `midi-out`, and `forms` lists what the user may type.
  case unknownSource(String, option: String, forms: String)
  /// The program runs offline (`--offline`), but the source or target, which is the first value, needs the sequencer or
  /// a network session.
  case notOffline(String, option: String)
  /// The output's queue is full, because too many messages were sent.
  case queueFull
  /// This or another program already sends MIDI clock to this port.
  case clockTaken(port: String)
  /// A thread for MIDI could not be started, or `MoMIDI` was stopped while it opened a port or a session.
  case noThread(reason: String)
  /// Another program uses the UDP ports that a network session needs: the port with this number, and the next.
  ///
  /// `by` is the name of that program; nil if it is unknown.
  case portsTaken(Int, by: String?)
  /// Avahi, which finds network sessions by name, is not available.
  case noAvahi(reason: String)
  /// Avahi finds no network session with the name in the first value; `has` lists the sessions that Avahi finds.
  ///
  /// `nearest` is the most similar name; nil if no name is similar.
  case noSession(String, nearest: String?, has: [String])
  /// A network session does not answer.
  case noAnswer(String)
  /// A network session refuses this program.
  case refused(String)
  /// A network operation failed; the text says which operation, and why.
  case network(String)
  /// A call to ALSA failed; the first value is the operation, such as `make a port`.
  case alsa(String, reason: String)

  /// The error message: what happened, its cause, and the command that helps.
  public var description: String {
    switch self {
    case .noSequencer(let reason):
      "no ALSA sequencer (/dev/snd/seq: \(reason)): type sudo modprobe snd-seq, or use --midi sim:scale, --midi "
        + "file:SONG.mid or --midi tape:FILE, and --midi-out file:TAKE.mid"
    case .noPermission:
      "no access to /dev/snd/seq: add yourself to the group 'audio': sudo usermod -aG audio $USER, then log in again"
    case .clientsTaken:
      "the ALSA sequencer has no client number left: close some MIDI programs (aconnect -l lists them)"
    case .noPort(let name, let option, let nearest?, _):
      "no MIDI port \"\(name)\": did you mean --\(option) \"\(nearest)\"? (momu midi list shows all)"
    case .noPort(let name, let option, nil, let has):
      "no MIDI port \"\(name)\": "
        + (has.isEmpty
          ? "no device is connected; plug one in, or leave out the name to use the next one (--\(option))"
          : "use --\(option) with " + has.map { "\"\($0)\"" }.joined(separator: ", "))
    case .badChannel(let number): "channel \(number) does not exist: MIDI has the channels 1 to 16"
    case .badNumber(let what, let number, let range):
      "\(what) \(number) does not exist: use \(range.lowerBound) to \(range.upperBound)"
    case .noNumber(let what): "the \(what) is NaN or infinite, but must be a number"
    case .badSysEx(let what): "the SysEx message cannot be sent: \(what)"
    case .file(let text): text
    case .unknownSource(let text, let option, let forms):
      "\"\(text)\" is not a source for --\(option): use \(forms)"
    case .notOffline(let name, let option):
      "--offline cannot use the MIDI port \"\(name)\": use --\(option) "
        + (option == "midi" ? "file:SONG.mid, tape:FILE or sim:scale" : "file:TAKE.mid or none")
    case .queueFull: "the MIDI output has too many messages to send: send fewer at a time"
    case .clockTaken(let port):
      "\(port) is already led by MIDI clock, by another program on this machine: two leaders double the tempo; end that "
        + "program, or leave out --midi-clock lead here"
    case .noThread(let reason): "no thread for MIDI: \(reason)"
    case .portsTaken(let port, let program):
      "the UDP ports \(port) and \(port + 1) are taken\(program.map { " by \($0)" } ?? " by another program"): close it, "
        + "or choose another pair with --midi \"net?port=\(port == 5020 ? 5022 : 5020)\""
    case .noAvahi(let reason):
      "network sessions cannot be found by name, for \(reason); or type the address: --midi net:192.168.0.5:5004"
    case .noSession(let name, let nearest?, _):
      "no network session \"\(name)\": did you mean --midi \"net:\(nearest)\"? (momu midi list shows all)"
    case .noSession(let name, nil, let has):
      "no network session \"\(name)\": "
        + (has.isEmpty
          ? "none is announced on this network; turn on the other machine's network MIDI, or type its address: "
            + "--midi net:192.168.0.5:5004"
          : "use " + has.map { "--midi \"net:\($0)\"" }.joined(separator: ", "))
    case .noAnswer(let peer):
      "no answer from \(peer): check that network MIDI is on there, and that no firewall blocks its UDP port and the next"
    case .refused(let peer):
      "\(peer) refuses this session: allow this computer there (on macOS and iPad: \"Who may connect to me\"), then try "
        + "again"
    case .network(let text): text
    case .alsa(let what, let reason): "ALSA could not \(what): \(reason)"
    }
  }
}
