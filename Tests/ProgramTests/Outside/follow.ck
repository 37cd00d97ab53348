// Follows a session's beat: prints each beat as it comes. Written from Docs/OSC-ADDRESSES.md alone.
OscOut ask; ask.dest("127.0.0.1", 6450);
OscIn ear; OscMsg message;
9123 => ear.port; ear.addAddress("/momu/beat, i f f i i f");
-1 => int last; 0 => float total; 0 => float tempo; 0 => int playing;
time heard; now - 10::second => time asked;
while (last < Std.atoi(me.arg(0))) {
  if (now - asked > 3::second) {
    ask.start("/momu/follow"); ask.add(9123); ask.send();
    now => asked;
  }
  while (ear.recv(message)) {
    message.getFloat(2) => tempo;
    message.getInt(3) => playing;
    message.getFloat(5) => total;
    now => heard;
  }
  (total + (now - heard) / second * tempo / 60) $ int => int beat;
  if (playing == 1 && beat > last) {
    beat => last;
    chout <= "beat " <= beat <= " at " <= Math.round(tempo) $ int <= IO.newline(); chout.flush();
  }
  5::ms => now;
}
