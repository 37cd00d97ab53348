import Glibc
import MoTesting
import Testing

@Suite("Phones and programs")
struct PhoneTests {
  private let folder = Scratch()

  /// A port that no program uses.
  private func freePort() -> Substring {
    ProgramRun(
      shell: "python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
        + "s.bind((\"\", 0)); print(s.getsockname()[1])'"
    ).lines.first ?? ""
  }

  @Test(
    "a shaking rig plays the drum of another program, in every layout",
    arguments: [
      ("touchosc", "phone with TouchOSC"), ("zigsim", "phone with ZIG SIM"),
      ("sensors2osc", "phone with Sensors2OSC"), ("momu", "rig with MoMu"),
    ])
  func rig(layout: String, sender: String) {
    let tape = "\(folder.path)/\(layout).osc"
    let programs = ProgramRun.folder
    // Until there are some seconds of readings on the tape; a busy machine may lose some.
    let run = ProgramRun(
      alone: """
        '\(programs)/ShakeDrum' --accel net:47301 --audio none --record-tape '\(tape)' & drum=$!
        '\(programs)/TiltToOSC' --to 127.0.0.1:47301 --layout \(layout) --accel sim:shake & rig=$!
        n=0; until [ "$(stat -c %s '\(tape)' 2>/dev/null || echo 0)" -ge 15000 ] || [ $n -ge 20000 ]; do n=$((n + 1)); done
        kill -INT $rig $drum; wait
        """)
    #expect(run.text.contains("Waiting for a phone"), "\(run.text)")
    #expect(
      run.lines.filter { $0 == "Reading a \(sender) at 127.0.0.1." }.count == 1, "\(run.text)")
    // Its own tape, played again: two hits per second at most, and at least two in all on the busiest
    // machine.
    let wav = "\(folder.path)/\(layout).wav"
    #expect(
      ProgramRun("ShakeDrum", "--accel tape:'\(tape)' --offline --quiet --audio wav:'\(wav)'").status == 0)
    let hits = drumHits(wav).count
    #expect((2...10).contains(hits), "\(hits) hits")
  }

  @Test("input from the network sounds the same when played offline from the tape of --net")
  func netTape() {
    let tape = "\(folder.path)/shakes.osc"
    func render(_ options: String, to wav: String) -> ProgramRun {
      ProgramRun("ShakeDrum", options, "--offline --quiet --seed 1 --audio wav:'\(folder.path)/\(wav)'")
    }
    #expect(render("--accel sim:shake --seconds 3 --record-tape '\(tape)'", to: "made.wav").status == 0)
    #expect(render("--accel 'tape:\(tape)'", to: "sensor.wav").status == 0)
    let run = render("--accel net --net 'tape:\(tape)'", to: "net.wav")
    #expect(run.status == 0 && run.text.isEmpty, "\(run.text)")
    #expect(ProgramRun(shell: "cd '\(folder.path)' && cmp sensor.wav net.wav && test -s net.wav").status == 0)
  }

  /// The messages that receivers for these apps expect of a phone that lies flat.
  private static let flat: [(layout: String, messages: Set<Substring>)] = [
    ("touchosc", ["/accxyz ,fff -0.0000 -0.0000 -1.0000"]),
    ("sensors2osc", ["/accelerometer ,fff 0.0000 0.0000 9.8067"]),
    (
      "zigsim",
      [
        "[/momu/deviceinfo ,ssssii 'MoMu' 'momu' 'ios' '' 0 0]",
        "[/ZIGSIM/momu/accel ,fff 0.0000 0.0000 0.0000]",
        "[/ZIGSIM/momu/gravity ,fff -0.0000 -0.0000 -1.0000]",
      ]
    ),
    ("momu", ["/momu/accel ,fff 0.0000 0.0000 1.0000"]),
  ]

  @Test("a rig that lies flat sends the messages of the app", arguments: flat)
  func layout(layout: String, messages: Set<Substring>) {
    let run = ProgramRun(
      shell: "python3 '\(outside("phone.py"))' 13 '\(ProgramRun.folder)/TiltToOSC' "
        + "--layout \(layout) --accel sim:still --quiet")
    #expect(run.lines.first == "/hello ,s 'TiltToOSC'", "\(run.text)")
    // The sign of a zero does not matter.
    let heard = Set(run.lines.dropFirst().map { $0.replacing("-0.0000", with: "0.0000") })
    #expect(heard == Set(messages.map { $0.replacing("-0.0000", with: "0.0000") }))
  }

  @Test(
    "invalid options are refused, with what to type",
    arguments: [
      ("TiltToOSC --layout midi", "unknown layout \"midi\": use touchosc, zigsim, sensors2osc or momu"),
      (
        "ShakeDrum --audio none --accel net:phone",
        "\"phone\" is not a port number for --accel net: use 1 to 65535, such as net:6449"
      ),
      (
        "ShakeDrum --offline --seconds 1 --audio none --accel net",
        "--offline cannot read \"net\": use --accel tape:FILE, or sim:still, sim:shake, sim:tilt, sim:play"
      ),
      (
        "ShakeDrum --audio none --accel net --net none",
        "--accel net reads the network, but --net none closes it: leave out one of them"
      ),
    ])
  func refused(command: String, text: String) {
    let run = ProgramRun(shell: "'\(ProgramRun.folder)'/\(command)")
    #expect(run.lines == [Substring(text)])
    #expect(run.status == 1)
  }

  @Test("a terminal shows the address as a QR code that zbar can scan")
  func code() throws {
    let port = freePort()
    let run = ProgramRun(
      shell: "TERM=xterm-256color script --quiet --return --command \"stty cols 100 rows 50; "
        + "'\(ProgramRun.folder)/ShakeDrum' --audio none --accel net:\(port) --seconds 0.2\" /dev/null")
    // A terminal's lines end in CR LF, which Swift treats as one character.
    let lines = run.text.split(whereSeparator: \.isNewline)
    let line = try #require(lines.first { $0.contains("Waiting for a phone") }, "\(run.text)")
    guard let host = line.firstMatch(of: /type host ([0-9.]+)/)?.output.1 else {
      #expect(line.contains("this machine is on no network"))
      return
    }
    let picture = "\(folder.path)/code.pgm"
    let drawn = lines.filter { $0.contains("\u{1B}[38;5;16;48;5;231m") }
    try #require(QRDrawing.write(drawn, to: picture))
    #expect(ProgramRun(shell: "zbarimg --quiet --raw --nodbus '\(picture)'").lines == ["\(host):\(port)"])
  }
}
