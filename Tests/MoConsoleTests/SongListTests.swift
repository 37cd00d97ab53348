import MoConsole
import MoCore
import MoOrchestra
import MoRuntime
import MoTesting
import Testing

@Suite("A list of songs")
struct SongListTests {
  private func list(_ text: String) throws -> SongList { try SongList(text, from: "songs") }

  @Test("reads name, tempo and meter per line; skips empty lines and comments, also with Windows line ends")
  func lines() throws {
    let songs = try list(
      "# tonight\r\nBlue in Green 58 4/4\r\n\r\n  Take  Five\t170 5/4  \r\n20 Years 99.5 7/8"
    ).songs
    #expect(songs.map(\.name) == ["Blue in Green", "Take Five", "20 Years"])
    #expect(songs.map(\.tempo.beatsPerMinute) == [58, 170, 99.5])
    #expect(songs.map { "\($0.meter)" } == ["4/4", "5/4", "7/8"])
  }

  @Test(
    "names an invalid line by its number, with the format of a song",
    arguments: [
      ("Take Five 170", 1), ("Take Five 5/4", 1), ("Take Five 5/4 170", 1), ("170 5/4", 1),
      ("Take Five 19 5/4", 1), ("Take Five 1000 5/4", 1), ("Take Five nan 5/4", 1), ("Take Five 170 5/0", 1),
      ("# one\nA 60 4/4\n\nB", 4),
    ])
  func flaws(text: String, line: Int) {
    let flaw = #expect(throws: SongList.Flaw.self) { try list(text) }
    #expect(flaw == .line("songs", line))
    #expect(
      flaw?.description
        == "songs, line \(line) is not a song: write its name, beats per minute (20 to 999) and the meter, such as Take Five 170 5/4"
    )
  }

  @Test("names a file that cannot be read, or is a folder")
  func unreadable() {
    let folder = Scratch()
    for path in ["\(folder.path)/none", folder.path] {
      #expect(throws: SongList.Flaw.unreadable(path)) { try SongList(file: path) }
    }
  }

  @Test("selects the room's song by its name, cut as the room shares it; another name changes nothing")
  func selecting() throws {
    let long = String(repeating: "la ", count: 20) + "la"
    var songs = try list("A 60 4/4\nB 70 3/4\n\(long) 80 2/4")
    songs.select(RehearsalMark(bar: 1, of: long).song)
    #expect(songs.current?.tempo == 80)
    songs.select("none of these")
    #expect(songs.current?.tempo == 80)
    songs.select("A")
    #expect(songs.current?.tempo == 60)
  }

  @Test("stays at a song whose name occurs twice, so that the songs after it can be reached")
  func twice() throws {
    var songs = try list("A 60 4/4\nB 70 3/4\nA 80 2/4\nC 90 4/4")
    songs.move(by: 2)
    songs.select("A")
    #expect(songs.current?.tempo == 80)
    songs.move(by: 1)
    #expect(songs.current?.name == "C")
    songs.select("A")
    #expect(songs.current?.tempo == 60)
  }

  @Test("moves forward and back, and stops at both ends; an empty list has no song")
  func moving() throws {
    var songs = try list("A 60 4/4\nB 70 3/4\nC 80 2/4")
    #expect(songs.current?.name == "A" && songs.text == "song 1 of 3: A, 60 bpm 4/4")
    songs.move(by: -1)
    #expect(songs.current?.name == "A")
    songs.move(by: 1)
    #expect(songs.text == "song 2 of 3: B, 70 bpm 3/4")
    songs.move(by: 5)
    #expect(songs.current?.name == "C")
    songs.move(by: -1)
    #expect(songs.current?.name == "B")
    var none = try list("# nothing yet\n")
    none.move(by: 1)
    #expect(none.current == nil && none.text == nil)
  }
}

@Suite("A tapped tempo")
struct TapTempoTests {
  /// Returns the tempo after each tap at these seconds.
  private func tempi(_ seconds: [Double]) -> [Double?] {
    var taps = TapTempo()
    return seconds.map { taps.tap(at: HostTime.zero.advanced(bySeconds: 100 + $0)) }
  }

  @Test("even taps give their tempo from the second tap on")
  func even() {
    #expect(tempi([0, 0.5, 1, 1.5]) == [nil, 120, 120, 120])
    #expect(tempi([0, 2.5]) == [nil, 24])
  }

  @Test("uses the last five taps, so that four more reach a new tempo")
  func uneven() {
    #expect(tempi([0, 0.52, 0.98, 1.5]) == [nil, 115, 122, 120])
    let faster = tempi([0, 1, 2, 3, 3.5, 4, 4.5, 5])
    #expect(faster.last == 120 && faster[3] == 60)
  }

  @Test("a pause of more than three seconds starts a new series")
  func pause() { #expect(tempi([0, 0.5, 3.6, 4.6]) == [nil, 120, nil, 60]) }

  @Test("simultaneous taps, and taps too fast for a tempo, give none")
  func tooFast() { #expect(tempi([0, 0, 0.01]) == [nil, nil, nil]) }
}
