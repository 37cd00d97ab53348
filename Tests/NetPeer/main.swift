// NetPeer: MoNet as a peer of other OSC programs, one line for each message.
//
//   NetPeer hear PORT COUNT [ANSWER]   prints COUNT messages; tells port ANSWER how many, again and again
//   NetPeer say TARGET                 sends the messages on standard input
//
// A line is the address and the values. Each value is its type, a colon, and the value: integers in decimal, all others
// as their OSC bytes in hexadecimal, so that nothing is rounded.
import Glibc
import MoMu

let words = Array(CommandLine.arguments.dropFirst())

switch (words.first, words.count) {
case ("hear", 3...4):
  hear(port: Int(words[1]) ?? 0, count: Int(words[2]) ?? 0, answer: words.dropFirst(3).first)
case ("say", 2): say(to: words[1])
default: exit(2)
}

func hear(port: Int, count: Int, answer: String?) {
  let lines = MoNetLines(count: count)
  MoNet.on("//*") { message in
    let heard = lines.add(line(message.address, message.arguments))
    if let answer, heard % 50 == 0 { try? MoNet.send("/go", heard, to: "127.0.0.1:\(answer)") }
  }
  // ChucK misses messages that arrive just before it waits for them, so they are sent again.
  let teller = answer.flatMap { answer in
    try? MoThread(name: "teller") { thread in
      while !thread.isCancelled {
        thread.sleep(for: .milliseconds(10))
        try? MoNet.send("/go", lines.printed, to: "127.0.0.1:\(answer)")
      }
    }
  }
  do {
    try MoNet.listen(port: port)
    try MoNet.listenTCP(port: port)
  } catch {
    print(error)
    exit(1)
  }
  lines.wait()
  teller?.cancel()
  teller?.join()
  MoNet.stop()
}

func say(to target: String) {
  while let text = readLine() {
    let parts = text.split(separator: " ")
    do {
      try MoNet.send(.message(OSCMessage(String(parts[0]), parts.dropFirst().map(value))), to: target)
    } catch {
      print(error)
      exit(1)
    }
    waitUntilRead(target)
  }
}
