/// Returns a number with its noun: `1 message`, `2 messages`.
package func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
