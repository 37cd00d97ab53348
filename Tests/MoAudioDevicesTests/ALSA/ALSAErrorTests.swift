import Glibc
import MoAudioDevices
import MoAudioEngine
import MoTesting
import Testing

@Suite("ALSA errors", .serialized)
struct ALSAErrorTests {
  @Test(
    "say that there is no sound card, on a machine without one", .enabled(if: ALSADeviceList.names().isEmpty))
  func noCard() {
    // `default` may lead to a sound server, which needs no card.
    for name in ["hw:0", "plughw:7,3", "hw:CARD=Piano,DEV=0", "nonsense"] {
      let text = text { try ALSAError.open(name, isCapture: false) }
      #expect(
        text
          == "no device \(name): there is no sound card; use --audio virtual for silence, or --audio wav:out.wav"
      )
    }
    #expect(ALSADeviceList.driver(ofCard: 0) == nil)
  }

  @Test(
    "say what happened and what to type",
    arguments: [
      (
        AudioError.noDevice(name: "hw:7", others: ["default", "hw:CARD=PCH,DEV=0"]),
        "no device hw:7: use one of default, hw:CARD=PCH,DEV=0 (--list-devices shows details)"
      ),
      (
        .noDevice(name: "default", others: ["default", "hw:CARD=PCH,DEV=0"]),
        "no device default: use one of hw:CARD=PCH,DEV=0 (--list-devices shows details)"
      ),
      (
        .busy(name: "default", holder: "jackd (process 42)"),
        "default is in use by jackd (process 42): close it, or choose another device (--list-devices)"
      ),
      (
        .busy(name: "hw:0", holder: nil),
        "hw:0 is in use by another program: close it, or use --audio default, which allows sharing"
      ),
      (
        .busy(name: "hw:0", holder: "firefox (process 42)"),
        "hw:0 is in use by firefox (process 42): close it, or use --audio default, which allows sharing"
      ),
      (
        .impossibleChannels(name: "hw:0", isCapture: false, channels: 8, highest: 2),
        "hw:0 cannot play 8 channels: choose 2 at most, or use plughw:0, which converts"
      ),
      (
        .impossibleRate(name: "hw:1", isCapture: false, rate: 192_000, lowest: 44_100, highest: 48_000),
        "hw:1 cannot play at 192000 Hz: choose 44100 to 48000 Hz, or use plughw:1, which converts"
      ),
      (
        .impossibleRate(name: "front:1", isCapture: true, rate: 44_100, lowest: 48_000, highest: 48_000),
        "front:1 cannot record at 44100 Hz: choose 48000 Hz"
      ),
      (
        .noAnswer(name: "default"),
        "the sound server of default does not answer: restart it "
          + "(systemctl --user restart pipewire wireplumber), or choose a card, such as --audio plughw:0"
      ),
    ])
  func texts(_ error: AudioError, _ text: String) { #expect(error.description == text) }

  @Test(
    "follow from the results of system calls",
    arguments: [
      (EBUSY, "hw:9 is in use by another program: close it, or use --audio default, which allows sharing"),
      (
        EACCES,
        "no access to hw:9: add yourself to the group 'audio': sudo usermod -aG audio $USER, then log in again"
      ),
      (
        EHOSTDOWN,
        "the sound server of hw:9 is not running: start it (systemctl --user start pipewire-pulse), "
          + "or choose a card, such as --audio plughw:0"
      ),
      (
        ECONNREFUSED,
        "the sound server of hw:9 is not running: start it (systemctl --user start pipewire-pulse), "
          + "or choose a card, such as --audio plughw:0"
      ),
      (EIO, "hw:9 failed: Input/output error"),
      (
        EINVAL,
        "hw:9 failed: its driver refuses the settings: use plughw:9, which converts, or choose another device "
          + "(--list-devices)"
      ),
    ])
  func systemErrors(_ number: Int32, _ text: String) {
    #expect(ALSAError.error(-number, "hw:9").description == text)
  }

  @Test("advise plughw: only for a name with hw:")
  func unfit() {
    #expect(
      ALSAError.unfit("front:0", "it does not accept interleaved samples").description
        == "front:0 failed: it does not accept interleaved samples: choose another device (--list-devices)")
  }

  @Test("distinguish a card without permission from a missing card")
  func forbidden() throws {
    let folder = Scratch()
    #expect(!ALSAError.hasForbiddenCard(in: folder.path))
    #expect(!ALSAError.hasForbiddenCard(in: "\(folder.path)/missing"))
    close(open("\(folder.path)/controlC0", O_CREAT | O_WRONLY, 0o600))
    #expect(!ALSAError.hasForbiddenCard(in: folder.path))
    // Root may open any existing file, but not a link to nothing.
    unlink("\(folder.path)/controlC0")
    symlink("\(folder.path)/nothing", "\(folder.path)/controlC0")
    #expect(ALSAError.hasForbiddenCard(in: folder.path))
  }

  @Test("name the program that uses a card, from the kernel's files")
  func holder() {
    let folder = Scratch()
    for part in [
      "card", "card/pcm0c", "card/pcm0c/sub0", "card/pcm0p", "card/pcm0p/sub0", "proc", "proc/4243",
      "proc/4242",
    ] {
      mkdir("\(folder.path)/\(part)", 0o700)
    }
    write("closed\n", to: "\(folder.path)/card/pcm0c/sub0/status")
    // As in Linux' Documentation/sound/designs/procfile.rst: the owner of a running substream is a thread.
    write(
      "state: RUNNING\nowner_pid   : 4243\ntrigger_time: 1.5\n", to: "\(folder.path)/card/pcm0p/sub0/status")
    write("Name:\taudio-out\nTgid:\t4242\nPid:\t4243\n", to: "\(folder.path)/proc/4243/status")
    write("firefox\n", to: "\(folder.path)/proc/4242/comm")
    let name = ALSADeviceOwner.name(inCard: "\(folder.path)/card", processes: "\(folder.path)/proc")
    #expect(name == "firefox (process 4242)")
    #expect(ALSADeviceOwner.name(inCard: "\(folder.path)/nowhere", processes: "/proc") == nil)
  }

  @Test("find the card in a device's name")
  func card() {
    #expect(ALSADeviceOwner.card(of: "hw:1") == 1)
    #expect(ALSADeviceOwner.card(of: "plughw:2,0") == 2)
    #expect(ALSADeviceOwner.card(of: "hw:CARD=3,DEV=0") == 3)
    #expect(ALSADeviceOwner.card(of: "default") == nil)
  }

  private func text(_ body: () throws -> some Any) -> String {
    do {
      _ = try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  private func write(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    var text = text
    text.withUTF8 { _ = Glibc.write(file, $0.baseAddress, $0.count) }
  }
}
