import MoOSC

extension Melody {
  /// The OSC address of melodies.
  public static let address = "/momu/melody"

  /// The melody as an OSC message.
  ///
  /// The address is `/momu/melody`. The arguments, all of the OSC type `f`, are the melody's length in beats, then
  /// beat, length, pitch and velocity of each note. A message of 64 notes has 1,304 bytes.
  public var message: OSCMessage {
    var arguments = [OSCArgument.float(beats)]
    for index in 0..<count {
      let note = self[index]
      arguments += [.float(note.beat), .float(note.length), .float(note.pitch), .float(note.velocity)]
    }
    return OSCMessage(Melody.address, arguments)
  }

  /// Parses a melody from a message; numbers of any OSC type are accepted.
  ///
  /// - Throws: `MelodyError` if the message is not a melody.
  public init(_ message: OSCMessage) throws(MelodyError) {
    guard message.address == Melody.address else { throw .otherAddress(message.address) }
    try self.init(message.arguments)
  }

  /// Parses a melody from a message's values, with any address.
  ///
  /// - Throws: `MelodyError` if the values are not a melody.
  public init(_ arguments: [OSCArgument]) throws(MelodyError) {
    var numbers: [Float] = []
    for argument in arguments {
      guard let number = argument.number, number.isFinite else { throw .noNumber(place: numbers.count + 1) }
      numbers.append(Float(number))
    }
    guard let beats = numbers.first, numbers.count % 4 == 1 else { throw .incomplete(count: numbers.count) }
    guard numbers.count <= 1 + 4 * Melody.capacity else { throw .tooLong(notes: numbers.count / 4) }
    self.init(beats: beats)
    var index = 1
    while index < numbers.count {
      add(
        Event(
          beat: numbers[index], length: numbers[index + 1], pitch: numbers[index + 2],
          velocity: numbers[index + 3]))
      index += 4
    }
  }
}

/// An error in a melody's message; its text describes the correct form.
public enum MelodyError: Error, CustomStringConvertible, Equatable {
  /// The message has another address than `/momu/melody`.
  case otherAddress(String)
  /// The argument at `place`, counted from 1, is not a finite number.
  case noNumber(place: Int)
  /// The number of arguments, `count`, is not 1 plus four for each note.
  case incomplete(count: Int)
  /// The melody has `notes` notes, more than the 64 that fit.
  case tooLong(notes: Int)

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .otherAddress(let address): "\(address) is not the address of a melody: send it to \(Melody.address)"
    case .noNumber(let place): "argument \(place) of a melody must be a number: \(MelodyError.form)"
    case .incomplete(let count): "a melody cannot have \(count) numbers: \(MelodyError.form)"
    case .tooLong(let notes): "a melody of \(notes) notes is too long: send \(Melody.capacity) at most"
    }
  }

  private static let form = "send its length in beats, then beat, length, pitch and velocity of each note"
}
