import Glibc
import MoInstruments

let files: [Piece] = [
  Piece(
    "file-44100", "a streamed file of 44.1 kHz at 48 kHz: tones from 100 Hz to 20 kHz, one line, no images",
    seconds: 4
  ) {
    let path = "/tmp/momu-listen-\(getpid()).wav"
    defer { unlink(path) }
    return streamed(path, seconds: 4)
  }
]

/// A sweep in a file at 44.1 kHz, streamed to 48 kHz; nothing where that cannot be.
private func streamed(_ path: String, seconds: Double) -> [Float] {
  let fileRate = 44_100.0
  guard let out = try? MoAudioFileOut(path, channels: 1, sampleRate: fileRate, format: .float32) else {
    return []
  }
  var turns = 0.0
  for frame in 0..<Int(3.8 * fileRate) {
    let time = Double(frame) / fileRate
    turns += 100 * pow(200, time / 3.8) / fileRate
    let ends = max(0, min(1, min(time / 0.05, (3.8 - time) / 0.05)))
    out.tick(Float(0.5 * ends * sin(2 * Double.pi * turns)))
    // The disk thread needs some time for what waits.
    if frame % 20_000 == 19_999 { usleep(250_000) }
  }
  out.close()
  guard out.droppedFrames == 0, let file = try? MoAudioFileIn(path, streamed: true) else { return [] }
  file.prepare(sampleRate: rate)
  var samples: [Float] = []
  for frame in 0..<Int(seconds * rate) {
    if frame % 8000 == 0 { usleep(30_000) }
    let sample = file.tick()
    samples += [sample, sample]
  }
  file.close()
  return file.underruns == 0 ? samples : []
}
