import MoCore

/// One end of an AppleMIDI session, as a pure state machine without sockets and without a clock.
///
/// The owner passes received datagrams and the time to the session, sends the session's datagrams, and takes its
/// events.
///
/// A peer is a program or device at another end of the session.
///
/// The session limits the effects of unknown peers. It sends at most one answer to a datagram, at most twice as long as
/// the datagram. It keeps eight unfinished invitations; a new invitation replaces the oldest. It sends no MIDI to a
/// peer before the peer has proved that it receives datagrams at its address.
///
/// - Source: Apple's MIDI Network Driver Protocol; RFC 6295.
/// - Thread: one owner.
/// - Real-time safe: `receive` and `takeEvents(_:)`, for datagrams with MIDI messages, once the buffers have grown; not
///   for SysEx and for commands of the session.
public struct AppleMIDISession: Sendable {
  /// The session's two UDP ports; the number of the second port is higher by 1.
  public enum Port: Hashable, Sendable {
    /// The first port, for invitations, confirmations and the command `BY` (goodbye).
    case control
    /// The second port, for a second invitation after the first port has answered, for clock comparisons, and for MIDI.
    case data
  }

  /// A datagram to send.
  public struct Outgoing: Hashable, Sendable {
    /// The bytes of the datagram.
    public var bytes: [UInt8]
    /// The endpoint to which the datagram is sent.
    public var to: MIDIEndpoint
    /// The local port from which the datagram is sent.
    public var from: Port
  }

  /// An event of the session.
  public enum Event: Hashable, Sendable {
    /// A peer joined: its ID (SSRC), name and address; the name may contain control characters.
    case joined(peer: UInt32, name: String, MIDIEndpoint)
    /// A peer left; `isSilent` is true if the peer timed out.
    case left(peer: UInt32, isSilent: Bool)
    /// A peer refused an invitation of this end.
    ///
    /// This end continues to invite the peer, but reports only the first refusal. If the peer joins, and refuses a later
    /// invitation, this refusal is reported, too.
    case refused(MIDIEndpoint)
    /// A peer did not answer three invitations of this end.
    ///
    /// This end continues to invite the peer, but reports further missing answers only after the peer has joined.
    case unanswered(MIDIEndpoint)
    /// This end refused the invitation of an address, since a joined peer on another host has the same ID (SSRC).
    ///
    /// This end reports only the first such invitation while the peer is joined.
    case duplicateID(MIDIEndpoint, of: UInt32)
    /// A message arrived, or this end created the message to repair a loss (`isRepair`).
    ///
    /// `at` is the host time at which the peer sent the message, or the time of arrival if the peer's clock is not
    /// known.
    case received(peer: UInt32, MIDIMessage, at: HostTime, isRepair: Bool)
    /// A SysEx message arrived, from F0 to F7.
    case sysEx(peer: UInt32, [UInt8], at: HostTime)
  }

  /// A peer that this end invites until the peer joins, and again after the peer left.
  struct Call: Sendable {
    let control: MIDIEndpoint
    /// The time of the next invitation, while the peer is neither invited nor joined.
    var next: HostTime
    var hasToldRefusal = false
    var hasToldSilence = false
  }

  /// The largest number of peers.
  public static let mostPeers = 16
  /// The largest number of peers that have sent an invitation and have not joined yet.
  public static let mostPending = 8
  /// The largest number of peers on the same host that have sent an invitation and have not joined yet.
  static let mostPendingOfOne = 2
  static let pendingTime = 10.0
  static let inviterSilence = 8.0
  /// The seconds after a join in which the peer's same invitation counts as a datagram that the network has repeated.
  static let repeatSeconds = 2.0

  /// The session's own SSRC, its ID ("synchronisation source") in RTP.
  public let source: UInt32
  /// Whether a peer may join by its own invitation, although this session did not invite the peer.
  public var acceptsInvitations = true
  let name: [UInt8]
  var peers: [AppleMIDIPeer] = []
  var calls: [Call] = []
  var found: [RTPMIDIReceiver.Event] = []
  private var events: [Event] = []
  private var random: UInt64
  /// The bytes of all datagrams to send, one datagram after another; `outgoing` has the end of each datagram.
  private var bytes: [UInt8] = []
  private var outgoing: [(end: Int, to: MIDIEndpoint, from: Port)] = []

  /// Creates a session without peers.
  ///
  /// - Parameters:
  ///   - name: the name that peers display; it is cut to whole characters with at most 63 bytes (UTF-8) together.
  ///   - seed: a random number, from which the session derives its SSRC, its tokens and the start of its clocks. So
  ///     others cannot guess these values.
  public init(name: String, seed: UInt64) {
    var short = name
    while short.utf8.count > AppleMIDICommand.longestName { short.removeLast() }
    self.name = Array(short.utf8).filter { $0 != 0 }
    random = seed
    source = UInt32(truncatingIfNeeded: Self.next(&random)) | 1
    found.reserveCapacity(1024)
    events.reserveCapacity(1024)
    bytes.reserveCapacity(16_384)
    outgoing.reserveCapacity(64)
  }

  /// The IDs (SSRC) of the peers that have joined.
  public var joined: [UInt32] { peers.filter { $0.stage == .joined }.map(\.source) }

  /// Returns whether the peer with this control port has joined.
  public func hasJoined(_ control: MIDIEndpoint) -> Bool {
    peers.contains { $0.control == control && $0.stage == .joined }
  }

  /// Returns and removes the datagrams to send, in order.
  public mutating func takeOutgoing() -> [Outgoing] {
    var taken: [Outgoing] = []
    takeOutgoing { bytes, to, from in taken.append(Outgoing(bytes: Array(bytes), to: to, from: from)) }
    return taken
  }

  /// Passes the waiting datagrams to `send`, in order, and removes them.
  public mutating func takeOutgoing(_ send: (UnsafeBufferPointer<UInt8>, MIDIEndpoint, Port) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for datagram in outgoing {
        send(UnsafeBufferPointer(rebasing: bytes[start..<datagram.end]), datagram.to, datagram.from)
        start = datagram.end
      }
    }
    bytes.removeAll(keepingCapacity: true)
    outgoing.removeAll(keepingCapacity: true)
  }

  /// Returns and removes the events since the last call.
  public mutating func takeEvents() -> [Event] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Passes to `emit` the events since the last call, in order, and removes them.
  public mutating func takeEvents(_ emit: (Event) -> Void) {
    for event in events { emit(event) }
    events.removeAll(keepingCapacity: true)
  }

  /// Returns the next random number of the generator SplitMix64, by Steele, Lea and Flood (2014).
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func randomWord() -> UInt64 { Self.next(&random) }

  mutating func addEvent(_ event: Event) { events.append(event) }

  mutating func send(_ command: AppleMIDICommand, to: MIDIEndpoint, from port: Port) {
    bytes += command.bytes
    outgoing.append((bytes.count, to, port))
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

  /// Invites the peer whose control port is `control` until the peer joins, and again after the peer left.
  ///
  /// A second call with the same control port changes nothing.
  ///
  /// - Returns: false if this end already invites `mostPeers` peers.
  @discardableResult
  public mutating func call(_ control: MIDIEndpoint, at now: HostTime) -> Bool {
    if calls.contains(where: { $0.control == control }) { return true }
    guard calls.count < Self.mostPeers else { return false }
    calls.append(Call(control: control, next: now))
    tick(at: now)
    return true
  }

  /// Ends the invitations to a peer that `call` began; a peer that has already joined stays.
  public mutating func endCall(_ control: MIDIEndpoint) {
    calls.removeAll { $0.control == control }
    peers.removeAll { $0.control == control && $0.isInviter && $0.stage != .joined }
  }

  /// Leaves all peers: sends the command `BY` (goodbye) to each peer, and releases the notes that the peer began.
  public mutating func leave(at now: HostTime) {
    calls = []
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
    for message in released { addEvent(.received(peer: peer.source, message, at: now, isRepair: true)) }
    addEvent(.left(peer: peer.source, isSilent: isSilent))
    changeCall(peer.control) { call in
      (call.hasToldRefusal, call.hasToldSilence) = (false, false)
      call.next = isSilent ? now : now.advanced(bySeconds: Self.recallSeconds)
    }
  }

  mutating func changeCall(_ control: MIDIEndpoint, _ change: (inout Call) -> Void) {
    if let index = calls.firstIndex(where: { $0.control == control }) { change(&calls[index]) }
  }

  /// Queues a message for all peers; the next `flush` sends it.
  public mutating func send(_ message: MIDIMessage, at time: HostTime) {
    for index in peers.indices where peers[index].stage == .joined {
      let stamp = peers[index].stamp(at: time)
      guard !peers[index].sender.add(message, at: stamp) else { continue }
      flush(index, at: time)
      _ = peers[index].sender.add(message, at: stamp)
    }
  }

  /// Queues SysEx for all peers, in as many packets as needed; `takeOutgoing` returns the packets.
  ///
  /// - Parameters:
  ///   - bytes: a message, from F0 to F7, or a part of it; the other parts follow in order.
  ///   - time: the host time at which the message was played.
  public mutating func send(sysEx bytes: Span<UInt8>, at time: HostTime) {
    for index in peers.indices where peers[index].stage == .joined {
      var place = 0
      while !peers[index].sender.add(sysEx: bytes, from: &place, at: peers[index].stamp(at: time)) {
        flush(index, at: time)
      }
    }
    flush(at: time)
  }

  /// Puts the queued messages into a packet for each peer; `takeOutgoing` returns the packets.
  public mutating func flush(at now: HostTime) {
    for index in peers.indices where !peers[index].sender.isEmpty { flush(index, at: now) }
  }

  mutating func flush(_ index: Int, at now: HostTime) {
    peers[index].sender.takePacket(&bytes, at: peers[index].stamp(at: now))
    outgoing.append((bytes.count, peers[index].data, .data))
  }
}
