import MoCore
import MoInstruments
import MoOrchestra

/// The songs of a rehearsal in their order, each with its name, tempo in beats per minute, and meter.
///
/// ```
/// Blue in Green 58 4/4
/// Take Five 170 5/4
/// ```
public struct SongList: Sendable {
  package struct Song: Equatable, Sendable {
    package var name: String
    package var tempo: Tempo
    package var meter: Meter
  }

  /// An error in a file of songs.
  public enum Flaw: Error, CustomStringConvertible, Equatable {
    /// The file at this path is empty or cannot be read.
    case unreadable(String)
    /// A line is not a song; the values are the file's path and the line's number, from 1.
    case line(String, Int)

    /// The error text; it also says how a line of the song list is written.
    public var description: String {
      switch self {
      case .unreadable(let path): "\(path) cannot be read: give a text file of 16 kB at most, a song per line"
      case .line(let path, let number):
        "\(path), line \(number) is not a song: write its name, beats per minute (20 to 999) and the meter, such as Take Five 170 5/4"
      }
    }
  }

  package let songs: [Song]
  private(set) var place = 0

  /// Reads a file with a song per line; skips empty lines and lines that begin with `#`.
  ///
  /// Of a larger file, only the first 16 kB are read.
  ///
  /// - Throws: `Flaw`.
  public init(file path: String) throws(Flaw) {
    guard let text = WholeFile.text(of: path) else { throw .unreadable(path) }
    try self.init(text, from: path)
  }

  package init(_ text: String, from path: String) throws(Flaw) {
    var songs: [Song] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count > 2, let meter = Meter(words[words.count - 1]),
        let tempo = Double(words[words.count - 2]),
        Tempo.range.contains(tempo)
      else { throw .line(path, index + 1) }
      songs.append(Song(name: words.dropLast(2).joined(separator: " "), tempo: Tempo(tempo), meter: meter))
    }
    self.songs = songs
  }

  /// Selects the song that the room calls `name`; does nothing if the list does not have this song.
  ///
  /// A room shortens the long name of a song, so `name` can be shorter than the name in the list. If several songs
  /// have this name, the selected song stays if it is among them; if not, the first of them is selected.
  package mutating func select(_ name: String) {
    let places = songs.indices.filter { RehearsalMark(bar: 1, of: songs[$0].name).song == name }
    if !places.contains(place), let first = places.first { place = first }
  }

  /// The selected song, which plays next; nil for an empty list.
  package var current: Song? { songs.indices.contains(place) ? songs[place] : nil }

  /// Moves the selection by a number of songs, back if negative; stops at the first and the last song.
  package mutating func move(by step: Int) { place = max(0, min(place + step, songs.count - 1)) }

  package var text: String? {
    current.map {
      let tempo = StatusLine.number($0.tempo.beatsPerMinute)
      return "song \(place + 1) of \(songs.count): \($0.name), \(tempo) bpm \($0.meter)"
    }
  }
}
