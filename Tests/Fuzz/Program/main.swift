// momu-fuzz: everything that can arrive, mutated, into everything that reads it. Built with AddressSanitizer.
//
//   momu-fuzz SECONDS SEED CORPUS [KEEP]
//
// Each input goes through every reader. What breaks a law, or the sanitizer, ends the program; the input that did it
// is left in KEEP (here, `failing-input`), and belongs into the corpus once the fault is mended.
import Glibc
import MoMu

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 3, let seconds = Double(words[0]), let seed = UInt64(words[1]) else {
  print("usage: momu-fuzz SECONDS SEED CORPUS [KEEP]")
  exit(2)
}
MoLog.handler = { _, _ in }
var corpus = readCorpus(words[2])
guard !corpus.isEmpty else {
  print("no corpus in \(words[2])")
  exit(2)
}
let kept = words.count > 3 ? words[3] : "failing-input"
let readers = Readers(kept: kept)
for input in corpus { readers.read(input, kept: kept) }

var mutator = Mutator(seed: seed)
var count = 0
let end = SystemClock().now.advanced(bySeconds: seconds)
while SystemClock().now < end {
  let seeds = corpus + readers.said
  for _ in 0..<100 {
    readers.read(mutator.mutate(seeds), kept: kept)
    count += 1
  }
}
unlink(kept)
print("\(count) inputs from \(corpus.count) seeds, no fault")
