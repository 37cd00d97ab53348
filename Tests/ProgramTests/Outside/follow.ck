// Follows a session's beat: prints each beat as it comes. Written from Docs/OSC-ADDRESSES.md alone.
OscOut ask; ask.dest("127.0.0.1", 6450);
OscIn ear; OscMsg message;
9123 => ear.port; ear.listenAll();
-1 => int last; 0 => int key;
// A datagram can be lost, and ChucK opens its port some time after `listenAll`: it asks again each second.
fun void follow() {
  while (true) { ask.start("/momu/follow"); ask.add(9123); ask.add(key); ask.send(); 1::second => now; }
}
spork ~ follow();
while (last < Std.atoi(me.arg(0))) {
  ear => now;
  while (ear.recv(message)) {
    // The first answer is a key, which has to be returned.
    if (message.address == "/momu/follow") { message.getInt(1) => key; continue; }
    message.getFloat(5) $ int => int beat;
    if (message.getInt(3) == 1 && beat > last) {
      beat => last;
      chout <= "beat " <= beat <= " at " <= Math.round(message.getFloat(2)) $ int <= IO.newline(); chout.flush();
    }
  }
}
