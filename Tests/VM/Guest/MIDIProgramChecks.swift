import Glibc

/// What `momu midi play` sends, as alsa-utils' recorder writes it into a file.
func checkRecorded(_ report: Report) throws {
  guard access("/programs/arecordmidi", X_OK) == 0 else { return }
  let messages: [[UInt8]] = randomMessages(300).filter { $0[0] < 0xF0 }
  try SongFile.write(messages, to: "/tmp/played.mid", ticks: 20)
  let recorder = try spawn(
    ["/programs/arecordmidi", "-p", "0:0", "/tmp/recorded.mid"], output: "/tmp/arecord", withErrors: true)
  for _ in 0..<300 where !printed(in: "/proc/asound/seq/clients").contains("\"arecordmidi\"") { pause(0.01) }
  try finish(
    spawn(
      ["/programs/momu", "midi", "play", "--to", "arecordmidi", "/tmp/played.mid"], output: "/tmp/play",
      withErrors: true))
  pause(0.2)
  kill(recorder, SIGINT)
  try finish(recorder)
  let reader = try MoMuListener("file:/tmp/recorded.mid", count: messages.count)
  let recorded = try reader.finish()
  report.check(
    "arecordmidi's file has each message that MoMu plays", recorded == messages,
    "\(recorded.count) of \(messages.count); " + printed(in: "/tmp/arecord") + printed(in: "/tmp/play"))
  let gaps = zip(reader.times, reader.times.dropFirst()).map { $1 - $0 }
  let worst = gaps.map { abs($0 - 0.02) }.max() ?? 1
  // A tick of the file is 1.3 ms, and one of the kernel's queue 4 ms.
  report.check("its times are the played ones, within 6 ms", worst < 0.006, "\(worst * 1000) ms")
}

/// The script of Docs/MIDI.md, with a line that prints; ChucK reads MoMu's own port by its name.
func checkChucK(_ report: Report) throws {
  guard access("/programs/chuck", X_OK) == 0 else { return }
  try save(
    """
    MidiIn in;
    MidiMsg m;
    if (!in.open("MoMu")) me.exit();
    <<< "open" >>>;
    while (true) {
      in => now;
      while (in.recv(m)) <<< m.data1, m.data2, m.data3 >>>;
    }
    """, to: "/tmp/read.ck")
  try SongFile.write([[0x90, 60, 100], [0x80, 60, 0], [0xB0, 11, 99]], to: "/tmp/chuck.mid", ticks: 9000)
  let player = try spawn(["/programs/momu", "midi", "play", "/tmp/chuck.mid"], output: "/tmp/play")
  for _ in 0..<500 where !printed(in: "/proc/asound/seq/clients").contains("\"MoMu\"") { pause(0.01) }
  let chuck = try spawn(
    ["/programs/chuck", "--silent", "/tmp/read.ck"], output: "/tmp/chuck", withErrors: true)
  for _ in 0..<600 where !printed(in: "/tmp/chuck").contains("176 11 99") { pause(0.05) }
  kill(chuck, SIGTERM)
  try finish(chuck)
  kill(player, SIGTERM)
  try finish(player)
  let text = printed(in: "/tmp/chuck")
  report.check(
    "ChucK reads MoMu's port by its name", text.contains("128 60") && text.contains("176 11 99"), text)
}

/// The objects that Docs/MIDI.md names, in a patch that prints what they read and plays each note on channel 2.
func checkPd(_ report: Report) throws {
  guard access("/programs/pd", X_OK) == 0 else { return }
  try save(
    """
    #N canvas 0 0 450 300 12;
    #X obj 10 10 notein;
    #X obj 10 40 pack f f f;
    #X obj 10 70 print note;
    #X obj 150 10 ctlin 11;
    #X obj 150 40 print cc;
    #X obj 250 10 bendin;
    #X obj 250 40 print bend;
    #X obj 10 100 noteout 2;
    #X connect 0 0 1 0;
    #X connect 0 1 1 1;
    #X connect 0 2 1 2;
    #X connect 1 0 2 0;
    #X connect 3 0 4 0;
    #X connect 5 0 6 0;
    #X connect 0 0 7 0;
    #X connect 0 1 7 1;

    """, to: "/tmp/read.pd")
  let pd = try spawn(
    [
      "/programs/pd", "-nogui", "-nrt", "-noaudio", "-stderr", "-alsamidi", "-midiindev", "1", "-midioutdev",
      "1",
      "/tmp/read.pd",
    ], output: "/tmp/pd", withErrors: true)
  for _ in 0..<500 where !printed(in: "/proc/asound/seq/clients").contains("\"Pure Data\"") { pause(0.01) }
  let listener = try spawn(
    ["/programs/momu", "midi", "listen", "Pure Data", "--json"], output: "/tmp/heard", withErrors: true)
  for _ in 0..<500 where !printed(in: "/tmp/heard").contains("Reading MIDI from Pure Data") { pause(0.01) }
  let messages: [[UInt8]] = [[0x90, 60, 100], [0xB0, 11, 99], [0xE0, 0, 80], [0x80, 60, 0]]
  try SongFile.write(messages, to: "/tmp/pd.mid", ticks: 100)
  try finish(
    spawn(["/programs/momu", "midi", "play", "--to", "Pure Data", "/tmp/pd.mid"], output: "/tmp/play"))
  for _ in 0..<200 where !printed(in: "/tmp/pd").contains("note: 60 0 1") { pause(0.05) }
  for _ in 0..<200 where !printed(in: "/tmp/heard").contains("[129,60,64]") { pause(0.05) }
  for child in [listener, pd] {
    kill(child, SIGTERM)
    try finish(child)
  }
  let (read, heard) = (printed(in: "/tmp/pd"), printed(in: "/tmp/heard"))
  report.check(
    "Pd reads notes, controller 11 and bend from MoMu",
    ["note: 60 100 1", "cc: 99", "bend: 10240", "note: 60 0 1"].allSatisfy(read.contains), read)
  report.check(
    "MoMu reads what Pd plays", heard.contains("[145,60,100]") && heard.contains("[129,60,64]"), heard)
}
