// momu-fuzz: gives mutated inputs of all kinds to all readers.
//
//   momu-fuzz SECONDS SEED CORPUS [KEEP]
//
// The seconds are this program's processor time, so that a busy machine tries as many inputs as an idle one.
//
// Each input goes through every reader. A broken law or a fault that the sanitizer finds ends the program. The input is
// then in KEEP (here, `failing-input`). After the fault is fixed, add it to the corpus.
import Glibc
import MoMu

/// The processor time of this program, without the kernel's work for it.
func processorSeconds() -> Double {
  var usage = rusage()
  getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
  return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 3, let seconds = Double(words[0]), let seed = UInt64(words[1]) else {
  print("usage: momu-fuzz SECONDS SEED CORPUS [KEEP]")
  exit(2)
}
MoLog.handler = { _, _ in }
setenv("MOMU_NET", "none", 1)  // what others send must not be counted here
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
while processorSeconds() < seconds {
  let seeds = corpus + readers.said
  for _ in 0..<100 {
    readers.read(mutator.mutate(seeds), kept: kept)
    count += 1
  }
}
unlink(kept)
print("\(count) inputs from \(corpus.count) seeds in \(Int(processorSeconds())) s, no fault")
