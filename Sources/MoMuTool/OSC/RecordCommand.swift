import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// `momu osc record`: records the received messages on a tape.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record the messages that arrive (Docs/Tapes.md).",
    discussion: """
      The tape holds each message at the time of its arrival, or at its bundle's time tag if that is later. A message \
      to \(TapeRecorder.senderAddress) names the sender whenever the sender changes. An earlier tape FILE is renamed to FILE-1. \
      Ctrl-C ends the recording.
      """)

  @OptionGroup var options: ListenOptions

  @Argument(help: ArgumentHelp("The tape to create or replace.", valueName: "FILE"))
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
      complain("\(counted(inbox.lost, "message")) lost: the disk was too slow")
    }
  }
}
