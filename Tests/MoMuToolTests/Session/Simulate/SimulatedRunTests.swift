import MoSessionCore
import Testing

@testable import MoMuTool

@Suite("momu simulate")
struct SimulatedRunTests {
  @Test("an orchestra on a wire agrees: all arrive, the spread is small, and the seed repeats it")
  func wire() {
    func played() -> SimulatedRun {
      var simulation = SimulatedRun(
        members: 5, network: .wire, skew: 50e-6, churn: 0, seconds: 20, seed: 3)
      simulation.play()
      return simulation
    }
    let simulation = played()
    #expect(simulation.arrivals.count == 4)
    #expect(simulation.arrivals.allSatisfy { $0.seconds.map { $0 <= 1 } ?? false })
    #expect(simulation.spreads.count > 900)
    #expect(simulation.spreads.last.map { $0 > 0 && $0 <= 0.2 } ?? false)
    // Five members that ping each other send some packets each second, all of the time.
    #expect(simulation.traffic.allSatisfy { $0 > 0 && $0 < 5 * 100 })
    #expect(played().spreads == simulation.spreads)
  }

  @Test("a crashed member returns, and every arrival is measured")
  func churn() {
    var simulation = SimulatedRun(
      members: 4, network: .goodWiFi, skew: 20e-6, churn: 5, seconds: 21, seed: 1)
    simulation.play()
    // Three members came at first. At 5, 10 and 15 s one vanished, and came back 3 s later; the one that vanished at 20
    // s did not.
    #expect(simulation.arrivals.count == 3 + 3)
    #expect(simulation.arrivals.allSatisfy { !$0.isUnderWay })
    #expect(simulation.presence[0] < simulation.length - 2.9)
    let text = SimulationReport(simulation: simulation, setting: "4 members").text
    #expect(text.contains("not at the end: 0 of 6"))
  }

  @Test("a joiner has arrived when its beat was within 1 ms for a second, at the beginning of that second")
  func arrival() {
    var arrival = Arrival(member: 1, came: 10)
    arrival.add(error: nil, at: 10.1)
    arrival.add(error: 0.5, at: 10.2)
    arrival.add(error: -1.5, at: 10.3)
    arrival.add(error: -0.9, at: 10.5)
    arrival.add(error: 0.1, at: 11.4)
    #expect(arrival.isUnderWay)
    arrival.add(error: 0.1, at: 11.5)
    #expect(arrival.seconds == 0.5)
    #expect(!arrival.isUnderWay)
  }

  @Test("bars rise in proportion to the largest number, or by ratios")
  func bars() {
    #expect(BarChart.linear([0, 1, 4, 8]) == " ▂▅█")
    #expect(BarChart.linear([]) == "")
    #expect(BarChart.linear([0, 0]) == "  ")
    #expect(BarChart.logarithmic([0, 0.009, 0.02, 9.9, 10.1, 100], from: 0.01, to: 10) == "▁▁▂▇██")
  }
}
