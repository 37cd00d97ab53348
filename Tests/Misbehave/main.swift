// A program that does one thing wrong, as MISBEHAVE says: the tests run it and read what the user is told.
import Glibc
import MoMu

struct Mistake: Error, CustomStringConvertible {
  var description: String { "the tuning fork is missing: buy one" }
}

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
