import MoDSP
import MoInstruments
import Testing

@Suite("What every instrument says about itself")
struct SheetLaws {
  @Test("is a name that can be an address, and a line", arguments: Catalogue.names)
  func sheet(name: String) throws {
    let entry = try Catalogue.entry(name)
    #expect(name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil)
    #expect(!entry.sheet.summary.isEmpty && entry.sheet.summary.count <= 90)
    #expect(!entry.sheet.summary.hasSuffix("."))
    #expect(entry.sheet.tail > 0 && entry.sheet.voices > 0)
  }

  @Test("gives each parameter a name of its own, a range and a default within it", arguments: Catalogue.names)
  func parameters(name: String) throws {
    let parameters = try Catalogue.entry(name).parameters
    #expect(Set(parameters.map(\.name)).count == parameters.count)
    for parameter in parameters {
      #expect(parameter.name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil)
      #expect(parameter.name != "loudness" && parameter.name != "note" && parameter.name != "strike")
      #expect(parameter.range.lowerBound < parameter.range.upperBound)
      #expect(parameter.range.contains(parameter.initial))
      #expect(parameter.smoothing >= 0 && parameter.smoothing <= 5)
    }
  }

  @Test(
    "holds at both ends of every parameter: the sound is finite and not too loud", arguments: Catalogue.names)
  func ends(name: String) throws {
    for part in [Float(0), 1] {
      var rig = try Rig(name)
      for parameter in rig.entry.parameters { rig.set(parameter.name, to: parameter.value(at: part), at: 0) }
      rig.note(rig.middle, velocity: 1, from: 100)
      rig.send(.strike(1), at: 4800)
      let take = try rig.take(seconds: 0.5)
      #expect(take.isFinite)
      #expect(take.peak <= 0.8913)
    }
  }

  @Test("no two share a name")
  func names() {
    let names = Instruments.all.map(\.sheet.name)
    #expect(Set(names).count == names.count)
  }
}

extension SheetLaws {
  @Test("has a mapping that can be read, of parameters that it has", arguments: Catalogue.names)
  func mapping(name: String) throws {
    let entry = try Catalogue.entry(name)
    _ = try Mapping(entry.sheet.mapping, parameters: entry.allParameters.map(\.name))
  }
}
