/// Returns the whole number in a text; nil if the text is not a whole number.
///
/// The compiler needs 0.3 s to optimise the standard library's number parser in every file that uses it. Therefore only
/// this function uses the parser.
package func wholeNumber(_ text: some StringProtocol, radix: Int = 10) -> Int? { Int(text, radix: radix) }
