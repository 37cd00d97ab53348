// momu-listen: everything of the signal kit and every instrument, as sound.
//
//   momu-listen FOLDER [NAME …]
//
// Writes NAME.raw, stereo 32-bit floats at 48 kHz, and prints a line for each: name, what it expects, what is heard,
// when something new must be heard, and from when on it may only die away.
// To add something, add a `Piece` to one of the lists.
import Glibc

let pieces = sources + filters + shapes + spaces + loudness + hearing + players + files + instruments

let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first else {
  print("usage: momu-listen FOLDER [NAME …]")
  exit(2)
}
for piece in pieces where arguments.count == 1 || arguments.dropFirst().contains(piece.name) {
  let path = "\(folder)/\(piece.name).raw"
  guard let file = fopen(path, "wb") else {
    perror("cannot write \(path)")
    exit(1)
  }
  let samples = piece.samples()
  fwrite(samples, MemoryLayout<Float>.stride, samples.count, file)
  fclose(file)
  print(
    piece.name, piece.expects.joined(separator: ","), piece.about,
    piece.onsets.map { "\($0)" }.joined(separator: ","), piece.rest.map { "\($0)" } ?? "", separator: "\t")
}
