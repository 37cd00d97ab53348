import MoTesting
import Testing

@Suite("Real programs that play together at terminals")
struct TogetherTests {
  /// The output of a script that starts programs on their own network.
  private func script(_ name: String, _ more: String = "") -> String {
    ProgramRun(shell: "unshare --net python3 '\(outside(name))' '\(ProgramRun.folder)' \(more)").text
  }

  @Test("a key on one piano sounds on the other, with and without a rhythm, but not on a harp")
  func piano() {
    #expect(
      script("together.py") == """
        Anna heard [60, 66, 70]
        Ben heard [60, 66, 70]
        Cleo heard []

        """)
  }

  @Test("a shared drum machine: the room's pattern replaces a new member's, edits converge, undo is local")
  func drums() {
    #expect(
      script("drums.py") == """
        Ben has Anna's: True
        the same on both: True
        Cleo has it: True
        Anna's first slot stays: ●
        Anna: strokes a bar apart: True
        Ben: strokes a bar apart: True
        Cleo: strokes a bar apart: True
        Dora: strokes a bar apart: True

        """)
  }

  @Test("a duet: one member sets the pitches that the other strikes, on both machines")
  func duet() { #expect(script("ways.py", "duet") == "Ann heard [60, 66]\nBen heard [60, 66]\n") }

  @Test("an echo: a member repeats a received melody, and answers backwards a fifth higher")
  func echo() { #expect(script("ways.py", "echo") == "Ann heard [60, 64]\nBen heard [60, 64, 71, 67]\n") }

  @Test("changes only the neighbour's sound")
  func neighbour() {
    #expect(
      script("ways.py", "neighbour") == """
        Ann played 2 tones, the second at least three times as hollow: True
        Ben heard 0

        """)
  }

  @Test(
    "play without devices and without other members",
    arguments: ["Duet", "Echo", "Neighbour"])
  func byThemselves(name: String) {
    let folder = Scratch()
    let run = ProgramRun(
      name,
      "--offline --seconds 5 --seed 1 --quiet --check-realtime --audio wav:'\(folder.path)/a.wav' </dev/null",
      before: "XDG_STATE_HOME='\(folder.path)'")
    #expect(run.status == 0, "\(run.text)")
    #expect(Wav("\(folder.path)/a.wav").peak > 0.02)
  }

  @Test("in the orchestra each member sees all instruments and activities on one screen, and hears its own")
  func orchestra() {
    #expect(
      script("orchestra.py") == """
        Ann sees that Ben plays the harp
        Ben sees that Ann plays the shaker, then the reed, then the harp
        Ben sees how lively Ann is, and not of himself: True
        80 columns and 24 lines are enough: True True
        80 columns and 24 lines are enough: True True
        Ann is heard: True and not on Ben's machine: True
        a misspelt instrument is said to be, with status 1

        """)
  }

  @Test("fast keys all count, and a killed program rejoins once, with its instrument")
  func quickKeys() {
    #expect(
      script("quick_keys.py") == """
        six steps: 150
        two steps: 7/8
        stopped and started: True not refused
        after the crash the same instrument, and the octave: True
        a second Ann was seen: False

        """)
  }

  @Test(
    "no drawing lacks a row, nothing is erased in between, and an unchanged screen costs almost nothing")
  func flicker() {
    let sizes = ["40 x 10", "80 x 24", "120 x 40", "200 x 60"]
    let lines = sizes.flatMap { size in
      ["Orchestra", "piano"].map {
        "\($0) \(size): 0 pictures lack a row, 0 rows reach the last column, 0 times erased\n"
      }
    }
    #expect(script("flicker.py") == lines.joined() + "a quiet screen costs less than 2 kB/s: True\n")
  }

  @Test("messages reach their addressees in order and at one beat; gates hold; activity is the same for all")
  func messages() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("messages.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Ben: Ann: C4, force 0.500, 2.00 beats
        Cat heard it: False
        one beat for all: True 0.0
        Ann: Cat: a melody: C4 E4 G4
        Ann: Cat: brightness to 0.900
        in order: True
        Cat: no member is called "Dora": the members are Ann, Ben, Cat
        Cat: Ann conducts: ask for the baton (b in Orchestra, or type :ask), or wait until the rhythm is stopped
        Ben: Cat: D4, force 0.500
        Ben: Ann: E4, force 1.00
        Ben: Cat: F4, force 0.500
        a closed gate lets nothing through: True
        ['level 5 of 5', 'level 5 of 5', 'level 5 of 5']

        """)
  }
}
