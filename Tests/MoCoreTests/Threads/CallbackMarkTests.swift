import MoCore
import Testing

@Suite("The mark of an audio callback")
struct CallbackMarkTests {
  @Test("exempt code leaves the mark as it was, on an ordinary thread and in a callback")
  func exempt() {
    var marks: [Bool] = []
    RealTimeCheck.exempt { marks.append(RealTimeCheck.isInCallback) }
    marks.append(RealTimeCheck.isInCallback)
    RealTimeCheck.enter()
    RealTimeCheck.exempt { marks.append(RealTimeCheck.isInCallback) }
    marks.append(RealTimeCheck.isInCallback)
    RealTimeCheck.leave()
    #expect(marks == [false, false, false, true])
  }
}
