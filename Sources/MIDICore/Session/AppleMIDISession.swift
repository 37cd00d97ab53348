import MoCore

/// One end of an AppleMIDI session, as a pure state machine: datagrams and time in, datagrams and events out.
///
/// It limits the effects of unknown peers: one answer per datagram, twice as long at most, and eight unfinished
/// invitations. A peer receives no MIDI before it has proved that it receives at its address.
///
/// - Source: Apple's MIDI Network Driver Protocol; RFC 6295.
/// - Thread: one owner.
public struct AppleMIDISession: Sendable {
  /// The session's two UDP ports: the second is the first plus one.
  public enum Port: Hashable, Sendable {
    /// Invitations and confirmations.
    case control
    /// Clock comparisons and MIDI.
    case data
  }

  /// A datagram to send.
  public struct Outgoing: Hashable, Sendable {
    /// The contents.
    public var bytes: [UInt8]
    /// The destination.
    public var to: MIDIEndpoint
    /// The local port to send from.
    public var from: Port
  }

  /// An event of the session.
  public enum Event: Hashable, Sendable {
    /// A peer joined: its SSRC, name and address; the name is not sanitised for printing.
    case joined(peer: UInt32, name: String, MIDIEndpoint)
    /// A peer left, or timed out.
    case left(peer: UInt32, isSilent: Bool)
    /// An invited peer refused.
    case refused(MIDIEndpoint)
    /// An invited peer did not answer twelve invitations.
    case unanswered(MIDIEndpoint)
    /// A message arrived or was repaired, with the time at which the peer sent it, in this machine's clock.
    case received(peer: UInt32, MIDIMessage, at: HostTime, isRepair: Bool)
    /// A SysEx message arrived, from F0 to F7.
    case sysEx(peer: UInt32, [UInt8], at: HostTime)
  }

  /// The most peers.
  public static let mostPeers = 16
  /// The most peers that have not joined yet.
  public static let mostPending = 8
  static let pendingTime = 10.0
  static let silence = 60.0

  /// The session's own SSRC.
  public let source: UInt32
  let name: [UInt8]
  var peers: [AppleMIDIPeer] = []
  private var outgoing: [Outgoing] = []
  private var events: [Event] = []
  private var random: UInt64

  /// Creates a session without peers.
  ///
  /// - Parameters:
  ///   - name: the name that peers display; its first 63 bytes are sent.
  ///   - seed: a random seed of its SSRC, tokens and clocks, so that others cannot guess them.
  public init(name: String, seed: UInt64) {
    var short = name
    while short.utf8.count > AppleMIDICommand.longestName { short.removeLast() }
    self.name = Array(short.utf8).filter { $0 != 0 }
    random = seed
    source = UInt32(truncatingIfNeeded: Self.next(&random)) | 1
  }

  /// The SSRCs of the peers that have joined.
  public var joined: [UInt32] { peers.filter { $0.stage == .joined }.map(\.source) }

  /// Returns and removes the datagrams to send, in order.
  public mutating func takeOutgoing() -> [Outgoing] {
    defer { outgoing = [] }
    return outgoing
  }

  /// Returns and removes the events since the last call.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Returns the next number of SplitMix64, by Steele, Lea and Flood (2014).
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func randomWord() -> UInt64 { Self.next(&random) }

  mutating func tell(_ event: Event) { events.append(event) }

  mutating func send(_ command: AppleMIDICommand, to: MIDIEndpoint, from port: Port) {
    send(command.bytes, to: to, from: port)
  }

  mutating func send(_ bytes: [UInt8], to: MIDIEndpoint, from port: Port) {
    outgoing.append(Outgoing(bytes: bytes, to: to, from: port))
  }

  mutating func makePeer(
    _ stage: AppleMIDIPeer.Stage, token: UInt32, source: UInt32, control: MIDIEndpoint, at now: HostTime
  ) -> AppleMIDIPeer {
    AppleMIDIPeer(
      stage: stage, isInviter: stage == .invitingControl, token: token, source: source, control: control,
      data: control.with(port: control.port &+ 1), lastHeard: now,
      next: now.advanced(bySeconds: Self.pendingTime), shift: randomWord() >> 2,
      sender: RTPMIDISender(source: self.source, first: UInt16(truncatingIfNeeded: randomWord())),
      receiver: RTPMIDIReceiver(source: source))
  }

  /// Invites a peer by its control port: twelve times, a second apart.
  ///
  /// A peer that is already invited is not invited again.
  ///
  /// - Returns: false if there are too many peers.
  @discardableResult
  public mutating func invite(_ control: MIDIEndpoint, at now: HostTime) -> Bool {
    if peers.contains(where: { $0.control == control }) { return true }
    guard peers.count < Self.mostPeers else { return false }
    var peer = makePeer(
      .invitingControl, token: UInt32(truncatingIfNeeded: randomWord()), source: 0, control: control, at: now)
    peer.next = now
    peers.append(peer)
    tick(at: now)
    return true
  }

  /// Leaves all peers: sends BY to each, and releases its notes.
  public mutating func leave(at now: HostTime) {
    for peer in peers {
      send(.bye(token: peer.token, source: source), to: peer.control, from: .control)
    }
    while let last = peers.indices.last { drop(last, isSilent: false, at: now) }
  }

  /// Removes a peer and releases its notes.
  mutating func drop(_ index: Int, isSilent: Bool, at now: HostTime) {
    var peer = peers.remove(at: index)
    guard peer.stage == .joined else { return }
    var released: [MIDIMessage] = []
    peer.receiver.releaseAll(at: 0) { event in
      if case .message(let message, _, _) = event { released.append(message) }
    }
    for message in released { tell(.received(peer: peer.source, message, at: now, isRepair: true)) }
    tell(.left(peer: peer.source, isSilent: isSilent))
  }

  /// Sends a message to all peers with the next `flush`.
  public mutating func send(_ message: MIDIMessage, at time: HostTime) {
    for index in peers.indices where peers[index].stage == .joined {
      let stamp = peers[index].stamp(at: time)
      guard !peers[index].sender.add(message, at: stamp) else { continue }
      flush(index, at: time)
      _ = peers[index].sender.add(message, at: stamp)
    }
  }

  /// Sends a SysEx message, from F0 to F7, to all peers, in as many packets as needed.
  public mutating func send(sysEx message: [UInt8], at time: HostTime) {
    for index in peers.indices where peers[index].stage == .joined {
      var place = 0
      while !peers[index].sender.add(sysEx: message, from: &place, at: peers[index].stamp(at: time)) {
        flush(index, at: time)
      }
    }
    flush(at: time)
  }

  /// Sends the queued messages, a packet for each peer.
  public mutating func flush(at now: HostTime) {
    for index in peers.indices where !peers[index].sender.isEmpty { flush(index, at: now) }
  }

  mutating func flush(_ index: Int, at now: HostTime) {
    var packet: [UInt8] = []
    peers[index].sender.takePacket(&packet, at: peers[index].stamp(at: now))
    send(packet, to: peers[index].data, from: .data)
  }
}
