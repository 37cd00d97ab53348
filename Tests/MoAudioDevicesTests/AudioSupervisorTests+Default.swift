import MoAudioDevices
import MoAudioEngine
import MoCore
import Testing

/// Another card becomes the default.
extension AudioSupervisorTests {
  @Test("follows another default card, once")
  func followsDefault() throws {
    let (engine, card, opener, supervisor, recorder) = try start(
      .automatic, playing: "default", ["default": "Onboard"])
    supervisor.service(cardsChanged: true)
    #expect(opener.opened.isEmpty)
    opener.cards = ["default": "USB"]
    supervisor.service(cardsChanged: true)
    engine.cycle()
    supervisor.service(cardsChanged: true)
    supervisor.service(cardsChanged: true)
    #expect(recorder.all == [.defaultChanged(name: "default")])
    #expect(opener.opened.count == 1)
    #expect(!card.isOpen)
  }

  @Test("follows a default card that is busy at first, and stays if the default is the old card again")
  func followsBusyDefault() throws {
    let (engine, _, opener, supervisor, recorder) = try start(
      .automatic, playing: "default", ["default": "Onboard"])
    opener.error = .busy(name: "default", holder: nil)
    opener.cards = ["default": "Headset"]
    supervisor.service(cardsChanged: true)
    #expect(supervisor.isWaitingForCard)
    opener.cards = ["default": "Onboard"]
    supervisor.service(cardsChanged: true)
    #expect(!supervisor.isWaitingForCard)
    opener.cards = ["default": "Headset"]
    supervisor.service(cardsChanged: true)
    opener.error = nil
    supervisor.service(cardsChanged: false)
    #expect(opener.opened.count == 1 && !supervisor.isWaitingForCard)
    engine.cycle()
    supervisor.service(cardsChanged: false)
    #expect(recorder.all == [.defaultChanged(name: "default")])
  }

  @Test("tries a default card that fails twice for the same reason again only if the cards change")
  func impossibleDefault() throws {
    let (_, _, opener, supervisor, recorder) = try start(
      .automatic, playing: "default", ["default": "Onboard"])
    let error = AudioError.impossibleChannels(name: "default", isCapture: false, channels: 2, highest: 1)
    opener.error = error
    opener.cards = ["default": "Headset"]
    supervisor.service(cardsChanged: true)
    #expect(supervisor.isWaitingForCard)
    supervisor.service(cardsChanged: false)
    #expect(!supervisor.isWaitingForCard && recorder.warnings.withLock { $0 } == [error.description])
    opener.error = nil
    supervisor.service(cardsChanged: false)
    #expect(opener.opened.isEmpty)
    supervisor.service(cardsChanged: true)
    #expect(opener.opened.count == 1)
  }

  @Test("keeps a named card when the default changes")
  func staysOnNamed() throws {
    let (_, _, opener, supervisor, recorder) = try start(
      .alsa("hw:1"), playing: "hw:1", ["default": "A", "hw:1": "B"])
    opener.cards = ["default": "B", "hw:1": "B"]
    supervisor.service(cardsChanged: true)
    #expect(recorder.all.isEmpty)
    #expect(opener.opened.isEmpty)
  }
}
