import Glibc
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("SoundFonts whose instruments are in other banks")
struct SoundFontBankTests {
  /// Returns the bytes of Debian's small SoundFont, with all its instruments at number 24 of bank 8.
  private func moved() throws -> [UInt8] {
    let path = "/usr/share/sounds/sf2/TimGM6mb.sf2"
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    #expect(fread(&bytes, 1, bytes.count, file) == bytes.count)
    // The chunk "phdr" has a record of 38 bytes for each instrument, with the number and the bank in bytes 20 to 23.
    let name = Array("phdr".utf8)
    let start = try #require(
      bytes.indices.last { $0 + 8 <= bytes.count && bytes[$0..<$0 + 4].elementsEqual(name) })
    let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
    for record in stride(from: start + 8, to: start + 8 + length, by: 38) {
      bytes.replaceSubrange(record + 20..<record + 24, with: [24, 0, 8, 0])
    }
    return bytes
  }

  @Test(
    "a file without an instrument 0 plays its first instrument, at the start and for a missing preset"
  )
  func sounds() throws {
    let folder = Scratch()
    let path = folder.file("moved.sf2")
    let bytes = try moved()
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    var instrument = try SoundFont(path: path)
    instrument.prepare(sampleRate: 48_000, delay: nil)
    for preset: Float in [0, 127] {
      var glides = [ControlGlide(0), ControlGlide(preset)]
      var samples = [Float](repeating: 0, count: 2 * 9600)
      try glides.withUnsafeMutableBufferPointer { glides in
        let controls = Controls<SoundFont.Control>(UnsafePointer(try #require(glides.baseAddress)))
        instrument.handle(.noteOn(Note(60, velocity: 0.8)), controls)
        samples.withUnsafeMutableBufferPointer { samples in
          var block = AudioBlock(
            output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: 9600,
            sampleRate: 48_000)
          instrument.render(&block, controls)
        }
        instrument.handle(.allOff, controls)
      }
      #expect(AudioMeasures.peak(samples) > 0.01, "preset \(preset)")
    }
  }
}
