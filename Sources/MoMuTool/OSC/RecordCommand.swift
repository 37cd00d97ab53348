import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// `momu osc record`: what arrives, onto a tape.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record what arrives onto a tape (Docs/Tapes.md).",
    discussion: """
      Every message stands on the tape at its arrival, or at the moment of its bundle's time tag where that is \
      later; where the sender changes, \(TapeRecorder.senderAddress) names it. A tape that exists is replaced. \
      Ctrl-C ends it.
      """)

  @OptionGroup var options: ListenOptions

  @Argument(help: ArgumentHelp("The tape to make.", valueName: "FILE"))
  var file: String

  func run() throws {
    let stop = StopWait()
    let listening = try ListenSession(options, pattern: ListenSession.everything)
    var recorder = try TapeRecorder(path: file)
    let inbox = MessageInbox(count: options.count)
    listening.start { inbox.put($0) }
    var flushed = SystemClock().now
    while !stop.wait(until: SystemClock().now + .milliseconds(50)) {
      try recorder.write(inbox.takeAll())
      if SystemClock().now - flushed > .seconds(1) {
        try recorder.flush()
        flushed = SystemClock().now
      }
    }
    listening.finish(heard: inbox.taken)
    try recorder.write(inbox.takeAll())
    try recorder.close()
    if inbox.lost > 0 {
      complain("the disk was too slow for \(counted(inbox.lost, "message")), which are lost")
    }
  }
}
