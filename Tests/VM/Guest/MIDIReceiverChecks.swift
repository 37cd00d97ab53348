import CALSA
import Glibc

/// A program that receives MIDI through the kernel's sequencer, and reads only when `keys` is called.
private final class Receiver {
  private let handle: OpaquePointer

  /// - Parameter room: the number of events that the kernel stores for this program.
  init(_ name: String, room: Int) throws {
    var opened: OpaquePointer?
    guard snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK) >= 0, let opened else {
      throw Failure(call: "snd_seq_open")
    }
    handle = opened
    snd_seq_set_client_name(handle, name)
    guard snd_seq_set_client_pool_input(handle, room) >= 0 else {
      throw Failure(call: "snd_seq_set_client_pool_input")
    }
    let port = snd_seq_create_simple_port(
      handle, name, UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
      UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    guard port >= 0 else { throw Failure(call: "snd_seq_create_simple_port") }
  }

  deinit { snd_seq_close(handle) }

  /// Returns the keys of the received note-ons, and those of the note-offs.
  func keys() -> (on: [UInt8], off: [UInt8]) {
    var (on, off): ([UInt8], [UInt8]) = ([], [])
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while snd_seq_event_input(handle, &event) >= 0, let event {
      switch snd_seq_event_type(UInt32(event.pointee.type)) {
      case SND_SEQ_EVENT_NOTEON: on.append(event.pointee.data.note.note)
      case SND_SEQ_EVENT_NOTEOFF: off.append(event.pointee.data.note.note)
      default: break
      }
    }
    return (on, off)
  }
}

/// Two programs receive from MoMu, and one of them never reads.
func checkUnread(_ report: Report) throws {
  let healthy = try Receiver("vm reader one", room: 2000)
  let hung = try Receiver("vm reader two", room: 10)
  let played = (UInt8(40)..<70).map { $0 }
  try SongFile.write(
    played.flatMap { [[0x90, $0, 100], [0x80, $0, 64]] }, to: "/tmp/unread.mid", ticks: 10)
  let player = try spawn(
    ["/programs/momu", "midi", "play", "--to", "vm reader", "/tmp/unread.mid"], output: "/tmp/play",
    withErrors: true)
  var status: Int32 = 0
  var hasEnded = false
  for _ in 0..<1000 where !hasEnded {
    hasEnded = waitpid(player, &status, WNOHANG) == player
    pause(0.01)
  }
  if !hasEnded {
    kill(player, SIGKILL)
    try finish(player)
  }
  let heard = healthy.keys()
  report.check(
    "a program that does not read its MIDI delays nothing, and the other program gets each note once",
    hasEnded && heard.on == played && heard.off == played, "\(heard); " + printed(in: "/tmp/play"))
  report.check(
    "MoMu reports a program that does not read its MIDI",
    printed(in: "/tmp/play").contains("does not read its MIDI messages"), printed(in: "/tmp/play"))
  withExtendedLifetime(hung) {}
}
