// Sound is Float, and a number that a program writes as `let depth = 0.5` is Double. These operators make a Float of
// both, so that a program need not convert. The compiler prefers all others.

/// Multiplies two numbers; the result is a `Float`.
///
/// - Real-time safe: yes.
@inlinable @_disfavoredOverload
public func * (left: Double, right: Float) -> Float { Float(left) * right }

/// Multiplies two numbers; the result is a `Float`.
///
/// - Real-time safe: yes.
@inlinable @_disfavoredOverload
public func * (left: Float, right: Double) -> Float { left * Float(right) }

/// Adds two numbers; the result is a `Float`.
///
/// - Real-time safe: yes.
@inlinable @_disfavoredOverload
public func + (left: Double, right: Float) -> Float { Float(left) + right }

/// Adds two numbers; the result is a `Float`.
///
/// - Real-time safe: yes.
@inlinable @_disfavoredOverload
public func + (left: Float, right: Double) -> Float { left + Float(right) }
