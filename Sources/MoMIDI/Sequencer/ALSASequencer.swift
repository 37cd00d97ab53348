import CALSA
import Glibc
import MIDICore
import MoCore

/// A client of the kernel's ALSA sequencer.
///
/// - Source: `alsa/seq.h` and `alsa/seqmid.h` of alsa-lib; `sound/core/seq` of the Linux kernel.
final class ALSASequencer: MIDISequencer {
  let address: MIDIAddress
  let descriptor: Int32?
  let name: String
  /// The maximum speed of SysEx messages, in bytes per second: the speed of a MIDI cable, 31,250 bits per second with
  /// 10 bits per byte.
  let bytesPerSecond: Double? = 3125
  private let handle: OpaquePointer
  private let queue: Int32
  private let status: OpaquePointer

  /// The maximum number of events that the kernel queues for this client, for input and for output each.
  private static let poolSize = 2000

  /// - Parameter name: the name of the client and of its port.
  /// - Throws: `MIDIError`.
  init(name: String) throws(MIDIError) {
    guard access("/dev/snd/seq", R_OK | W_OK) == 0 else { throw Self.openError(errno) }
    momu_alsa_silence()
    self.name = name
    var opened: OpaquePointer?
    let error = snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
    guard error >= 0, let handle = opened else { throw Self.openError(-error) }
    self.handle = handle
    do throws(MIDIError) {
      try Self.check(snd_seq_set_client_name(handle, name), "name the client")
      // If the kernel refuses the pools, its defaults serve.
      snd_seq_set_client_pool_input(handle, Self.poolSize)
      snd_seq_set_client_pool_output(handle, Self.poolSize)
      snd_seq_set_input_buffer_size(handle, 262_144)
      snd_seq_set_output_buffer_size(handle, 262_144)
      queue = try Self.check(snd_seq_alloc_named_queue(handle, name), "make a queue")
      let port = try Self.makePort(handle, name, queue)
      address = MIDIAddress(try Self.check(snd_seq_client_id(handle), "find its client"), port)
      // Announcements: ports that appear, disappear and change.
      try Self.check(snd_seq_connect_from(handle, port, 0, 1), "hear of new ports")
      try Self.check(
        snd_seq_control_queue(handle, queue, Int32(SND_SEQ_EVENT_START.rawValue), 0, nil), "start its clock")
      try Self.check(snd_seq_drain_output(handle), "start its clock")
      var made: OpaquePointer?
      guard snd_seq_queue_status_malloc(&made) == 0, let made else {
        throw .alsa("read its clock", reason: "no memory")
      }
      status = made
    } catch {
      snd_seq_close(handle)
      throw error
    }
    var request = pollfd()
    descriptor = snd_seq_poll_descriptors(handle, &request, 1, Int16(POLLIN)) == 1 ? request.fd : nil
  }

  deinit {
    snd_seq_queue_status_free(status)
    snd_seq_close(handle)
  }

  private static func makePort(
    _ handle: OpaquePointer, _ name: String, _ queue: Int32
  ) throws(MIDIError) -> Int32 {
    var made: OpaquePointer?
    guard snd_seq_port_info_malloc(&made) == 0, let info = made else {
      throw .alsa("make a port", reason: "no memory")
    }
    defer { snd_seq_port_info_free(info) }
    snd_seq_port_info_set_name(info, name)
    let capability =
      SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_WRITE
      | SND_SEQ_PORT_CAP_SUBS_WRITE | SND_SEQ_PORT_CAP_DUPLEX
    snd_seq_port_info_set_capability(info, UInt32(capability))
    snd_seq_port_info_set_type(
      info,
      UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SOFTWARE | SND_SEQ_PORT_TYPE_APPLICATION))
    snd_seq_port_info_set_midi_channels(info, 16)
    snd_seq_port_info_set_timestamping(info, 1)
    snd_seq_port_info_set_timestamp_real(info, 1)
    snd_seq_port_info_set_timestamp_queue(info, queue)
    try check(snd_seq_create_port(handle, info), "make a port")
    return snd_seq_port_info_get_port(info)
  }

  private static func openError(_ number: Int32) -> MIDIError {
    switch number {
    case EACCES, EPERM: .noPermission
    case ENOMEM, EBUSY: .clientsTaken
    default: .noSequencer(reason: String(cString: strerror(number)))
    }
  }

  @discardableResult
  private static func check(_ result: Int32, _ what: String) throws(MIDIError) -> Int32 {
    guard result < 0 else { return result }
    throw .alsa(what, reason: String(cString: snd_strerror(result)))
  }

  func connect(from port: MIDIAddress) throws(MIDIError) {
    try Self.connected(snd_seq_connect_from(handle, address.port, port.client, port.port))
  }

  func connect(to port: MIDIAddress) throws(MIDIError) {
    try Self.connected(snd_seq_connect_to(handle, address.port, port.client, port.port))
  }

  /// Throws an error if a connection failed; a connection that exists already is no error.
  private static func connected(_ result: Int32) throws(MIDIError) {
    if result != -EBUSY { try check(result, "connect a port") }
  }

  func send(_ message: MIDIMessage, at time: HostTime) -> Bool {
    let bytes = message.bytes
    return Self.isTaken(momu_seq_send(handle, address.port, bytes.status, bytes.first, bytes.second))
  }

  func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool {
    Self.isTaken(momu_seq_send_sysex(handle, address.port, piece.baseAddress, UInt32(piece.count)))
  }

  /// Returns false if the queue of a receiver was full.
  ///
  /// The kernel delivers an event to each receiver, and then returns the first error. So an event that is sent again
  /// would arrive twice at the other receivers. The kernel also empties a full queue when its receiver reads next.
  private static func isTaken(_ result: Int32) -> Bool { result != -EAGAIN && result != -ENOMEM }

  func close(at time: HostTime) {
    snd_seq_drain_output(handle)
    // Drivers receive the last events before the client closes.
    snd_seq_sync_output_queue(handle)
  }

  func receive(_ emit: (MIDISequencerEvent) -> Void) {
    let offset = clockOffset()
    let now = SystemClock().now
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while true {
      let result = snd_seq_event_input(handle, &event)
      if result == -ENOSPC {
        emit(.overrun)
        continue
      }
      guard result >= 0, let event else { return }
      self.convert(event.pointee, hostTime(event.pointee.time.time, offset: offset, now: now), emit)
    }
  }

  /// Returns the host time at which the clock of the kernel's queue was 0; `.zero` if that is unknown.
  private func clockOffset() -> HostTime {
    let before = SystemClock().now
    guard snd_seq_get_queue_status(handle, queue, status) >= 0,
      let time = snd_seq_queue_status_get_real_time(status)
    else { return .zero }
    let after = SystemClock().now
    let middle = before.advanced(byNanoseconds: after.nanoseconds(since: before) / 2)
    return middle.advanced(byNanoseconds: -Self.nanoseconds(time.pointee))
  }

  /// Converts an event's time stamp to host time; returns `now` if the stamp is invalid.
  ///
  /// A stamp is invalid if it is at least 10 s before `now`, or at least 1 s after it.
  private func hostTime(_ stamp: snd_seq_real_time_t, offset: HostTime, now: HostTime) -> HostTime {
    let time = offset.advanced(byNanoseconds: Self.nanoseconds(stamp))
    let age = now.nanoseconds(since: time)
    return age < 10_000_000_000 && age > -1_000_000_000 ? min(time, SystemClock().now) : now
  }

  private static func nanoseconds(_ time: snd_seq_real_time_t) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  func ports() -> [MIDIPort] { ALSAPortList.read(handle, except: address.client) }
}
