import Glibc

/// A reader of a tape: it returns the messages with their times, and reads the file on demand.
///
/// Any program that writes length-prefixed OSC bundles with time tags can make a tape. The time tag of the first bundle
/// is time 0 of the tape, with or without a header.
///
/// - Thread: any, but one at a time; it reads from disk.
public final class OSCTapeReader {
  /// The file's path, as given.
  public let path: String
  /// The time tag of the tape's first bundle: the moment that is time 0 of the tape.
  public private(set) var start = OSCTimeTag.immediate
  /// The program that recorded the tape, as the header of the tape names it; nil without a header.
  public private(set) var madeBy: String?
  /// The warning that the tape ends within a packet, such as after a power cut; the messages before this packet can be
  /// played.
  ///
  /// The value is nil for a complete tape, and until `next()` has returned all complete messages.
  public private(set) var warning: String?

  private let file: TapeFile
  private var packets = OSCLengthPrefix()
  private var waiting: ArraySlice<OSCTapePacket> = []
  private var latest: Int64 = 0
  private var ended = false

  /// Opens a tape and reads its header.
  ///
  /// - Throws: `OSCTapeError.unreadable`, `notATape`, `wrongVersion`.
  public init(path: String) throws(OSCTapeError) {
    self.path = path
    file = try TapeFile(path: path)
    try readFirst()
  }

  /// Returns the next message, or nil at the end; a message in a nested bundle has the time of that bundle.
  ///
  /// - Throws: `OSCTapeError.damaged` if the tape is invalid, `unreadable` if the disk fails; later calls return nil.
  public func next() throws(OSCTapeError) -> OSCTapeReading? {
    while let entry = try nextPacket() {
      switch entry.packet {
      case .message(let message): return OSCTapeReading(nanoseconds: entry.nanoseconds, message: message)
      case .bundle(let inner):
        let time = try time(of: inner.timeTag, notBefore: entry.nanoseconds, byte: packets.offset)
        let elements = inner.elements.map { OSCTapePacket(nanoseconds: time, packet: $0) }
        waiting.insert(contentsOf: elements, at: waiting.startIndex)
      }
    }
    return nil
  }

  /// Returns the next message or bundle as it was recorded, with its time, or nil at the end.
  ///
  /// - Throws: as `next()`.
  public func nextPacket() throws(OSCTapeError) -> OSCTapePacket? {
    while waiting.isEmpty {
      let byte = packets.offset
      guard let packet = try readPacket() else { return nil }
      guard case .bundle(let bundle) = packet else {
        throw damaged(at: byte, "a message outside a bundle has no time")
      }
      try replaceWaiting(with: bundle.elements[...], at: bundle.timeTag, byte: byte)
    }
    return waiting.popFirst()
  }

  /// Rewinds to the start, so that the tape can be played again.
  ///
  /// - Throws: `OSCTapeError.unreadable` if the file cannot be rewound, such as a pipe.
  public func rewind() throws(OSCTapeError) {
    try file.rewind()
    packets = OSCLengthPrefix()
    waiting = []
    latest = 0
    ended = false
    warning = nil
    try readFirst()
  }

  private func readFirst() throws(OSCTapeError) {
    let bundle = try firstBundle()
    start = bundle.timeTag
    guard case .message(let header)? = bundle.elements.first, header.address == OSCTape.headerAddress else {
      return try replaceWaiting(with: bundle.elements[...], at: start, byte: 0)
    }
    guard case .int32(let version)? = header.arguments.first else {
      throw .notATape(path: path, reason: "its header has no version")
    }
    guard version == OSCTape.version else { throw .wrongVersion(path: path, version: Int(version)) }
    madeBy = header.arguments.dropFirst().first?.text
    try replaceWaiting(with: bundle.elements.dropFirst(), at: start, byte: 0)
  }

  private func firstBundle() throws(OSCTapeError) -> OSCBundle {
    var reason: String
    do throws(OSCTapeError) {
      switch try readPacket() {
      case .bundle(let bundle)? where bundle.timeTag != .immediate: return bundle
      case .bundle?: reason = "its first bundle has no time, its tag says 'immediately'"
      case .message?: reason = "its first packet is a message outside a bundle, which has no time"
      case nil: reason = packets.pending == 0 ? "it is empty" : "it ends within its first packet"
      }
    } catch {
      guard case .damaged(_, let byte, let what, _) = error else { throw error }
      reason = "at byte \(byte), \(what)"
    }
    throw .notATape(path: path, reason: reason)
  }

  /// Replaces the contents of `waiting` with the elements of a bundle, each with the time of the bundle's time tag.
  private func replaceWaiting(
    with elements: ArraySlice<OSCPacket>, at tag: OSCTimeTag, byte: Int
  ) throws(OSCTapeError) {
    latest = try time(of: tag, notBefore: latest, byte: byte)
    waiting = elements.map { OSCTapePacket(nanoseconds: latest, packet: $0) }[...]
  }

  private func time(
    of tag: OSCTimeTag, notBefore earliest: Int64, byte: Int
  ) throws(OSCTapeError) -> Int64 {
    guard tag != .immediate else { throw damaged(at: byte, "a bundle's time tag says 'immediately'") }
    let time = tag.nanoseconds(since: start)
    guard time >= earliest else {
      throw damaged(at: byte, "time runs backwards, from \(seconds(earliest)) s to \(seconds(time)) s")
    }
    return time
  }

  private func readPacket() throws(OSCTapeError) -> OSCPacket? {
    let byte = packets.offset
    guard let bytes = try nextBytes() else { return nil }
    do throws(OSCError) {
      return try OSCPacket(bytes: bytes)
    } catch {
      guard case .malformed(let what, let within) = error else { throw damaged(at: byte, "\(error)") }
      throw damaged(at: byte, "\(what) (at byte \(byte + 4 + within))")
    }
  }

  /// Returns the bytes of the next packet, or nil at the end; sets `warning` if the file ends within a packet.
  private func nextBytes() throws(OSCTapeError) -> [UInt8]? {
    while !ended {
      do throws(OSCError) {
        if let bytes = try packets.next() { return bytes }
      } catch {
        guard case .malformed(let what, let byte) = error else { throw damaged(at: 0, "\(error)") }
        guard try onlyZerosRemain() else { throw damaged(at: byte, what) }
        noteCut()
        return nil
      }
      let piece = try readPiece()
      packets.append(piece)
      if piece.isEmpty && packets.pending > 0 { noteCut() }
    }
    return nil
  }

  private func readPiece() throws(OSCTapeError) -> [UInt8] {
    ended = true
    let piece = try file.readPiece()
    ended = piece.isEmpty
    return piece
  }

  /// Returns whether the rest of the file is zeros, as some files are after a power cut.
  private func onlyZerosRemain() throws(OSCTapeError) -> Bool {
    guard packets.unread.allSatisfy({ $0 == 0 }) else { return false }
    var left = Self.mostZeros
    while !ended && left > 0 {
      let piece = try readPiece()
      guard piece.allSatisfy({ $0 == 0 }) else { return false }
      left -= piece.count
    }
    return ended
  }

  /// The largest number of zero bytes that are read at the end of a tape.
  ///
  /// After a power cut, a file system leaves at most 16 MiB of unfilled blocks. Without a limit, reading `/dev/zero`
  /// would never end.
  private static let mostZeros = 16 << 20

  private func noteCut() {
    ended = true
    warning =
      "\(path) was cut at byte \(packets.offset), in the middle of a packet: "
      + "it plays up to \(seconds(latest)) s, and the rest is lost"
  }

  private func damaged(at byte: Int, _ reason: String) -> OSCTapeError {
    ended = true
    waiting = []
    return .damaged(path: path, byte: byte, reason: reason, nanoseconds: latest)
  }
}

/// A file that is read from its start to its end, and that is closed when this value is destroyed.
struct TapeFile: ~Copyable {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws(OSCTapeError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: systemReason()) }
  }

  deinit { close(descriptor) }

  /// Returns the next bytes of the file, at most 64 KiB; an empty array at the end of the file.
  func readPiece() throws(OSCTapeError) -> [UInt8] {
    let size = 65_536
    var result = 0
    let piece = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      repeat { result = read(descriptor, bytes.baseAddress, size) } while result < 0 && errno == EINTR
      count = max(result, 0)
    }
    guard result >= 0 else { throw .unreadable(path: path, reason: systemReason()) }
    return piece
  }

  func rewind() throws(OSCTapeError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw .unreadable(path: path, reason: systemReason())
    }
  }
}
