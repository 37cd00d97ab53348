// A program that does one thing wrong, as MISBEHAVE says: the tests run it and read what the user is told.
import Glibc
import MoMu
import Synchronization

struct Mistake: Error, CustomStringConvertible {
  var description: String { "the tuning fork is missing: buy one" }
}

/// Whether SIGUSR1 has arrived.
enum UserSignal { static let hasArrived = Atomic<Bool>(false) }

let wrong = getenv("MISBEHAVE").map { String(cString: $0) } ?? ""

MoApp.run("Does one thing wrong.") {
  switch wrong {
  case "throw":
    throw Mistake()
  case "twice":
    try MoAudio.start { _ in }
    try MoAudio.start { _ in }
  case "nan":
    try MoAudio.start { block in
      for frame in block.frames { block[frame] = frame % 2 == 0 ? .nan : 0.5 }
    }
  case "allocate":
    try MoAudio.start { block in
      let ramp = [Float](repeating: 0.1, count: block.frames.count)
      for frame in block.frames { block[frame] = ramp[frame] }
    }
  case "later":
    UserSignal.hasArrived.store(false, ordering: .relaxed)
    signal(SIGUSR1) { _ in UserSignal.hasArrived.store(true, ordering: .relaxed) }
    try MoAccel.start()
    try MoAudio.start { block in
      guard UserSignal.hasArrived.load(ordering: .relaxed) else { return }
      let ramp = [Float](repeating: 0.1, count: block.frames.count)
      for frame in block.frames { block[frame] = ramp[frame] }
    }
  case "busy":
    try MoAudio.start { block in
      for frame in block.frames { block[frame] = 0.5 }
    }
    while true { sleep(1) }
  default:
    try MoAudio.start { block in
      for frame in block.frames { block[frame] = 0.5 }
    }
  }
}
