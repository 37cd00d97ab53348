extension PackageTemplate {
  /// The source of the tests.
  var tests: String {
    """
    import MoTesting
    import Testing

    @testable import \(name.folder)

    @Suite("\(name.type)")
    struct \(name.type)Tests {
      @Test("keeps the laws that every instrument keeps", arguments: InstrumentLaw.all)
      func law(law: InstrumentLaw) throws { try law.hold(\(name.type).self) }

      @Test("is louder when it is struck harder")
      func force() throws {
        var soft = Rig(\(name.type).self)
        soft.note(72, velocity: 0.2, from: 0)
        var hard = Rig(\(name.type).self)
        hard.note(72, velocity: 0.9, from: 0)
        #expect(try hard.take(seconds: 0.5).peak > 2 * soft.take(seconds: 0.5).peak)
      }
    }

    """
  }
}
