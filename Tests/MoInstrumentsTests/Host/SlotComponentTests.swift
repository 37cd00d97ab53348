import MoCore
import MoDSP
import Testing

@testable import MoInstruments

@Suite("Components of an instrument's slot")
struct SlotComponentTests {
  private static let cutoff = Parameter("cutoff", 100...1000, default: 200, smoothing: 0.01)

  @Test("a parameter that is set before the first frame applies from it; a later one glides")
  func glides() {
    let bank = ParameterBank([Self.cutoff], sampleRate: 48_000)
    bank.set(0, to: 500)
    #expect(bank.glides[0].value(0) == 500)
    bank.advance(32, isRenewal: true)
    bank.set(0, to: 980)
    #expect(bank.glides[0].value(0) == 500)
    #expect(abs(bank.glides[0].value(240) - 740) < 0.01)
    #expect(bank.glides[0].value(480) == 980)
  }

  @Test("a shown value does not move the sound, and loudness comes last")
  func shown() {
    let bank = ParameterBank([Self.cutoff], sampleRate: 48_000)
    bank.show(700, at: 0)
    #expect(bank.value(0) == 700)
    #expect(bank.glides[0].value(0) == 200)
    #expect(bank.parameters.map(\.name) == ["cutoff", "loudness"])
    #expect(bank.loudness.pointee.goal == bank.value(1))
  }

  @Test("a successor takes the changed values of equal names, within its own range")
  func inherits() {
    let old = ParameterBank([Self.cutoff, Parameter("q", 0...1, default: 0.5)], sampleRate: 48_000)
    old.show(900, at: 0)
    let new = ParameterBank(
      [Parameter("q", 0...1, default: 0.9), Parameter("cutoff", 100...800, default: 300)], sampleRate: 48_000)
    new.inherit(old)
    #expect(new.value(0) == Float(0.9))
    #expect(new.value(1) == 800)
    #expect(new.glides[1].value(0) == 800)
  }

  @Test("a full inbox refuses, counts, and remembers only a lost end")
  func inbox() {
    let inbox = SlotInbox()
    for index in 0..<inbox.capacity {
      #expect(inbox.add(.set(index: Int32(index), value: 0), played: .zero, heard: nil) == true)
    }
    #expect(inbox.add(.event(.noteOn(Note(60))), played: .zero, heard: nil) == false)
    #expect(inbox.refused == 1)
    #expect(inbox.takeLostEnd() == false)
    #expect(inbox.add(.event(.noteOff(Note(60))), played: .zero, heard: nil) == false)
    #expect(inbox.takeLostEnd() == true)
    #expect(inbox.takeLostEnd() == false)
    inbox.removeAll()
    #expect(inbox.queue.receive() == nil)
  }

  @Test("an inbox takes over events, not parameters")
  func inheritsEvents() {
    let old = SlotInbox()
    let new = SlotInbox()
    _ = old.add(.set(index: 0, value: 1), played: .zero, heard: nil)
    _ = old.add(.event(.strike(0.5)), played: .zero, heard: nil)
    new.inherit(old)
    guard case .event(.strike(0.5))? = new.queue.receive()?.element.event else {
      Issue.record("the strike is missing")
      return
    }
    #expect(new.queue.receive() == nil)
    #expect(old.queue.receive() == nil)
  }

  @Test("a fade enters from silence within 0.25 s, leaves, and is then gone")
  func fade() {
    var fade = SlotFade()
    #expect(fade.value(0) == 1)
    fade.enter(sampleRate: 1000)
    #expect(fade.value(0) == 0)
    #expect(abs(fade.value(125) - 0.5) < 1e-5)
    #expect(fade.value(250) == 1)
    fade.advance(250)
    fade.leave(in: SlotFade.leaving, sampleRate: 1000)
    #expect(!fade.stays)
    #expect(!fade.isGone)
    fade.advance(10)
    #expect(fade.isGone)
  }

  @Test("a rhythm is reported once at its start and once at its end")
  func rhythm() {
    /// What an event reports; nil for no event.
    func running(_ event: InstrumentEvent?) -> Bool? {
      if case .rhythm(let isRunning)? = event { isRunning } else { nil }
    }
    var follower = GridFollower(own: nil)
    #expect(running(follower.report(false)) == nil)
    #expect(running(follower.report(true)) == true)
    #expect(running(follower.report(true)) == nil)
    #expect(running(follower.follow(nil, at: .zero, hasGrid: true)) == false)
    #expect(running(follower.follow(nil, at: .zero, hasGrid: true)) == nil)
  }

  @Test("of two orders to a loop the last wins, and a recording counts only for its own order")
  func loop() {
    let control = LoopControl()
    control.order(LoopOrder(kind: .record, beats: 4))
    #expect(control.melody == nil)
    var melody = Melody(beats: 4)
    melody.add(Melody.Event(beat: 0, length: 1, pitch: 60))
    control.show(melody, for: control.number)
    #expect(control.melody?.count == 1)
    control.order(LoopOrder(kind: .record, beats: 8))
    #expect(control.melody == nil)
    #expect(control.newest.beats == 8)
    control.order(LoopOrder())
    control.show(.playing)
    #expect(control.melody == nil)
    #expect(control.state == .playing)
  }

  @Test("a tap is made once, and receives what is told")
  func tap() {
    final class Maker: Sendable {}
    let place = TapPlace()
    place.notify(.allOff, at: .zero, heardAt: nil)
    let count = Locked(0)
    let tap = place.tap { EventTap(Maker()) { _, _, _ in count.withLock { $0 += 1 } } }
    let again = place.tap { EventTap(Maker()) { _, _, _ in } }
    #expect(again === tap)
    place.notify(.strike(0.5), at: .zero, heardAt: nil)
    #expect(count.withLock { $0 } == 1)
  }

  @Test("an instrument counts as shared only while its observer sends to a room")
  func isShared() {
    final class Maker: Sendable {}
    let place = TapPlace()
    var states = [place.isShared]
    let sends = Locked(false)
    _ = place.tap { EventTap(Maker(), isShared: { sends.withLock { $0 } }) { _, _, _ in } }
    states.append(place.isShared)
    sends.withLock { $0 = true }
    states.append(place.isShared)
    #expect(states == [false, false, true])
  }
}
