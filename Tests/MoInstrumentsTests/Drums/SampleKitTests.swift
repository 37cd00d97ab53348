import Glibc
import MoInstruments
import MoMu
import MoTesting
import Testing

@Suite("A folder of drum sounds")
struct SampleKitTests {
  @Test("gives the rows in the order of the drums, in small or capital letters, without hidden files")
  func names() throws {
    let folder = Scratch()
    for name in ["Clap.wav", "Kick 1.WAV", "hat.Wav", "bell.wav"] {
      let sound = try MoAudioFileOut(folder.file(name), channels: 1)
      sound.tick(0.5)
      sound.close()
    }
    for name in ["._Kick 1.WAV", ".hat.wav", "snare.txt"] {
      let file = try #require(fopen(folder.file(name), "w"))
      fputs("no sound", file)
      fclose(file)
    }
    #expect(try SampleKit(folder: folder.path).names == ["Kick 1", "hat", "Clap", "bell"])
  }
}
