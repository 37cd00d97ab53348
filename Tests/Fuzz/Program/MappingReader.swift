import MoInstruments

/// Files that performers write: mappings for instruments and for MIDI, and learned controllers.
enum MappingReader {
  private static let parameters = ["brightness", "loudness", "cc1", "cc119", "pressure"]

  /// Reads the input as each kind of file; returns the law that it breaks, if any.
  static func read(_ input: [UInt8]) -> String? {
    let text = String(decoding: input, as: UTF8.self)
    return mapping(text, isMIDI: false) ?? mapping(text, isMIDI: true) ?? controllers(text)
  }

  /// A mapping has at most a rule for each line, with finite ranges; an error names one of the lines, and says something.
  private static func mapping(_ text: String, isMIDI: Bool) -> String? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
    do throws(MappingError) {
      let mapping = try Mapping(text, parameters: parameters, isMIDI: isMIDI)
      guard mapping.rules.count <= lines else { return "a mapping has more rules than lines" }
      for rule in mapping.rules {
        let ends = [rule.from, rule.to].compactMap { $0 }.flatMap { [$0.begin, $0.end] }
        guard (ends + [rule.curve, rule.smooth, rule.above, rule.below]).allSatisfy(\.isFinite) else {
          return "a rule has a number that is not finite"
        }
      }
      return nil
    } catch {
      return (1...lines).contains(error.line) && error.description.count > 10
        ? nil : "a mapping's error names no line"
    }
  }

  /// A file of learned controllers is read again as it was written, and keeps what was set.
  private static func controllers(_ text: String) -> String? {
    var file = ControllerFile(text)
    guard ControllerFile(file.text) == file else { return "learned controllers read as something else" }
    let known = file.parameters.count
    let place = ControllerFile.Place(device: "a keyboard", instrument: "harp", number: 74)
    file.set(place, to: "damping")
    let again = ControllerFile(file.text)
    guard again == file, again.parameters[place] == "damping" else {
      return "a learned controller was not kept"
    }
    return again.parameters.count <= known + 1 ? nil : "a learned controller made others"
  }
}
