// OSCHello: two programs say hello over the network; one program can do both.
//
// You will see: each "hello" that arrives, its sender, and the answer that comes back.
// Signal path: MoNet.send → network → MoNet.on("/hello") → reply → MoNet.on("/answer")
// Run: swift run Examples/OSCHello; for two machines, replace localhost by the other machine's address.
// Any OSC program can say hello: oscsend localhost 6449 /hello s Anna
// Try next: send("/hello", name, to: "broadcast:6449"), and the whole room answers.
import MoMu

MoApp.run("Says hello over the network, and answers those who do.") {
  MoNet.on("/hello") { (message: NetMessage, name: String) in
    print("\(name) says hello from \(message.sender)")
    try? message.reply("/answer", "Hello, \(name)!")
  }
  MoNet.on("/answer") { (text: String) in print("The answer: \(text)") }

  try MoNet.listen()
  try MoNet.send("/hello", "World", to: "localhost:\(MoNet.port ?? 6449)")
}
