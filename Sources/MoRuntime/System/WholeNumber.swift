/// The whole number that a text writes; nil where it writes none.
///
/// Optimising the standard library's reading of numbers takes the compiler 0.3 s in every file that asks for it:
/// so it is asked here.
package func wholeNumber(_ text: some StringProtocol, radix: Int = 10) -> Int? { Int(text, radix: radix) }
