import Glibc
import MoTesting
import Testing

@testable import MoAudioEngine

@Suite("An invalid sound file")
struct BrokenFileTests {
  /// The error for a file of these bytes, without its path.
  private func said(_ bytes: [UInt8], library: SndLibrary? = .loaded) -> String {
    let temporary = TemporaryFolder()
    let path = temporary.write(bytes)
    do {
      _ = try SoundBuffer(SoundFile.open(path, library: library))
      return "nothing"
    } catch {
      return error.description.split(separator: path, omittingEmptySubsequences: false).joined(
        separator: "FILE")
    }
  }

  @Test("gives different errors if it is missing, a folder, a pipe, or empty")
  func opening() {
    let temporary = TemporaryFolder()
    let missing = #expect(throws: AudioFileError.self) { try SoundBuffer(temporary.path("no.wav")) }
    #expect(
      missing?.description
        == "cannot open \(temporary.path("no.wav")): there is no such file; check its name and folder")
    let folder = #expect(throws: AudioFileError.self) { try SoundBuffer(temporary.folder) }
    #expect(folder?.description == "cannot open \(temporary.folder): that is a folder; name a file in it")
    mkfifo(temporary.path("pipe"), 0o600)
    let pipe = #expect(throws: AudioFileError.self) { try SoundBuffer(temporary.path("pipe")) }
    #expect(pipe?.description == "cannot open \(temporary.path("pipe")): that is not a file")
    #expect(said([]) == "FILE is not a sound file: it is empty")
  }

  @Test("gives an error that names the inconsistent part of its header")
  func contradictions() {
    let data = Wav.chunk("data", [1, 2, 3, 4])
    #expect(said(Wav.file(Wav.fmt(), data)) == "nothing")
    #expect(said(Wav.file()) == "FILE is damaged: it ends before it says how the sound is written")
    #expect(said(Wav.file(Wav.fmt())) == "FILE is damaged: it ends before the sound begins")
    #expect(said(Wav.file(data, Wav.fmt())) == "FILE is damaged: the sound comes before the fmt chunk")
    #expect(
      said(Wav.file(Wav.chunk("fmt ", [1, 0, 1, 0]), data)) == "FILE is damaged: its fmt chunk is cut short")
    #expect(
      said(Wav.file(Wav.fmt(channels: 0), data))
        == "FILE is damaged: it has 0 channels, but must have 1 to 64")
    #expect(
      said(Wav.file(Wav.fmt(channels: 65_535, frameBytes: 65_534), data))
        == "FILE is damaged: it has 65535 channels, but must have 1 to 64")
    #expect(
      said(Wav.file(Wav.fmt(rate: 0), data))
        == "FILE is damaged: it has 0 frames a second, but must have 1 to 1,000,000")
    #expect(
      said(Wav.file(Wav.fmt(channels: 2, frameBytes: 3), data))
        == "FILE is damaged: 2 channels of 16 bits do not make frames of 3 bytes")
    #expect(
      said(Wav.file(Wav.fmt(bits: 65_535), data))
        == "FILE is damaged: 1 channels of 65535 bits do not make frames of 2 bytes")
    #expect(
      said(Wav.file(Wav.fmt(tag: 0xFFFE), data))
        == "FILE is damaged: the extension of its fmt chunk is not valid")
    let sizes = Wav.chunk("ds64", [UInt8](repeating: 255, count: 28))
    #expect(said(Wav.file(sizes, Wav.fmt(), data)) == "FILE is damaged: its ds64 chunk is not valid")
    let many = [[UInt8]](repeating: Wav.chunk("junk", []), count: 1200).flatMap { $0 }
    #expect(
      said(Wav.file(many, Wav.fmt(), data))
        == "FILE is damaged: there are more than 1000 chunks before the sound")
  }

  @Test("gives an error with the available frames if it is too short, and the way to keep them")
  func lies() {
    let short = Wav.file(Wav.fmt(), Wav.chunk("data", [1, 2, 3, 4], size: 1000))
    #expect(
      said(short) == "FILE is damaged: its header announces 500 frames, but only 2 exist; to keep those: "
        + "sox --ignore-length FILE mended.wav")
    #expect(
      said(Wav.file(Wav.fmt(), Wav.chunk("data", [], size: 0x7FFF_FFFF))).contains(
        "1073741823 frames, but only 0"))
    #expect(
      said(Wav.file(Wav.fmt(), Wav.chunk("LIST", [], size: 0xFFFF_FFF0))).contains("ends before the sound"))
  }

  @Test("gives an error when truncated anywhere")
  func cuts() throws {
    let whole = Wav.file(Wav.chunk("LIST", [1, 2, 3]), Wav.fmt(), Wav.chunk("data", [1, 2, 3, 4, 5, 6]))
    for length in 0..<whole.count { #expect(said(Array(whole[..<length])) != "nothing") }
    #expect(said(whole) == "nothing")
  }

  @Test("gives an error that names libsndfile if that is needed and not installed")
  func library() {
    let none = SndLibrary(name: "libmomu-none.so.1")
    #expect(none == nil)
    let heads: [(String, String)] = [
      ("fLaC", "FLAC"), ("OggS", "Ogg"), ("FORM", "AIFF"), ("ID3\u{3}", "MP3"), (".snd", "AU"),
      ("caff", "CAF"),
      ("RIFX", "big-endian WAV"),
    ]
    for (head, kind) in heads {
      #expect(
        said(Array(head.utf8) + [UInt8](repeating: 0, count: 60), library: nil)
          == "cannot read FILE: \(kind) needs libsndfile: install it with sudo apt install libsndfile1")
    }
    #expect(
      said([0xFF, 0xFB] + [UInt8](repeating: 0, count: 60), library: nil).contains("MP3 needs libsndfile"))
    #expect(
      said(Wav.file(Wav.fmt(tag: 7, frameBytes: 1, bits: 8), Wav.chunk("data", [1, 2])), library: nil)
        == "cannot read FILE: sound compressed as µ-law needs libsndfile: install it with sudo apt install "
        + "libsndfile1")
    let text = Array("This is a letter and no sound at all.".utf8)
    #expect(
      said(text, library: nil)
        == "FILE is not a sound file: it is not a WAV file; to read other kinds, "
        + "sudo apt install libsndfile1")
    #expect(said(text).hasPrefix("FILE is not a sound file: "))
    #expect(said(Array("fLaC".utf8) + text).hasPrefix("FILE is damaged: libsndfile cannot read this FLAC: "))
  }
}
