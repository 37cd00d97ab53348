// A program that clicks on exact frames and prints when it was asked for each, and when it says that each is heard.
// With MOMU_PROBE=grid or free it plays strokes by hand (Strokes.swift).
import Glibc
import MoCore
import MoMu

/// One click: its frame, when the block was asked for, and when the click is heard by the block's account.
struct Click: BitwiseCopyable {
  var frame: Int64
  var asked: Int64
  var heard: Int64
}

let clicks = MoQueue<Click>(capacity: 4096)

MoApp.run("Clicks ten times a second, and says when.") {
  Thread.printing.start()
  if let strokes = getenv("MOMU_PROBE").map({ String(cString: $0) }) {
    return try Strokes.play(onGrid: strokes == "grid")
  }
  try MoAudio.start { block in
    let every = Int64(block.sampleRate / 10)
    let now = SystemClock().now
    for frame in block.frames where (block.position + Int64(frame)) % every < 32 {
      let place = block.position + Int64(frame)
      block[frame] = place % every < 16 ? 0.8 : -0.8
      guard place % every == 0 else { continue }
      clicks.push(Click(frame: place, asked: now.nanoseconds, heard: block.time(frame).nanoseconds))
    }
  }
  MoAudio.onEvent { event in
    print("event \(event)")
    fflush(nil)
  }
}

/// Prints what the callback has left, and the status once a second.
enum Thread {
  static let printing = Printing()

  final class Printing: Sendable {
    func start() {
      _ = try? MoThread(name: "printing") { thread in
        var round = 0
        while !thread.isCancelled {
          while let click = clicks.pop() { print("click \(click.frame) \(click.asked) \(click.heard)") }
          round += 1
          if round % 10 == 0 {
            let status = MoAudio.status
            if let device = status.device {
              print(
                "status device=\(device) rate=\(Int(status.sampleRate)) block=\(status.blockFrames) "
                  + "latency=\(status.latency) xruns=\(status.xruns) lost=\(status.lostFrames) "
                  + "queued=\(status.queuedFrames) growths=\(status.queueGrowths) outputs=\(status.outputs) "
                  + "rights=\(status.rights)")
            }
          }
          fflush(nil)
          thread.sleep(for: .milliseconds(100))
        }
      }
    }
  }
}
