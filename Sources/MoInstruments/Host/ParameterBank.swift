import MoCore
import MoDSP
import Synchronization

/// The values of an instrument's parameters: for each parameter, the value set last, and a glide towards this value.
///
/// - Thread: `value` and `show` from any; `inherit` in the set-up; the rest on the rendering thread.
/// - Real-time safe: yes, except `init`, `prepare` and `inherit`.
struct ParameterBank: ~Copyable, @unchecked Sendable {
  // Unchecked: the glides belong to the rendering thread; other threads use the atomics only.
  /// The instrument's own parameters, then loudness.
  let parameters: [Parameter]
  /// The number of parameters, including loudness.
  let count: Int
  /// The last value set for each parameter, as the bit pattern of a `Float`.
  private let shown: UnsafeMutablePointer<Atomic<UInt32>>
  private let moving: UnsafeMutablePointer<ControlGlide>
  /// The length of each glide, in frames.
  private let smoothing: UnsafeMutablePointer<Int>
  /// Whether anything has been rendered; values that are set earlier apply from the first frame, without a glide.
  private let hasBegun: UnsafeMutablePointer<Bool>

  /// The parameter that every instrument has, from 0 (silent) to 1 (loudest); the gain is the square of its value.
  static let loudness = Parameter("loudness", 0...1, default: 0.8, about: "how loud it is in the mix")

  /// - Parameter controls: the instrument's own parameters.
  init(_ controls: [Parameter], sampleRate: Double) {
    parameters = controls + [Self.loudness]
    count = parameters.count
    shown = .allocate(capacity: count)
    moving = .allocate(capacity: count)
    smoothing = .allocate(capacity: count)
    hasBegun = .allocate(capacity: 1)
    hasBegun.initialize(to: false)
    for (index, parameter) in parameters.enumerated() {
      (shown + index).initialize(to: Atomic(parameter.initial.bitPattern))
      (moving + index).initialize(to: ControlGlide(parameter.initial))
      (smoothing + index).initialize(to: 0)
    }
    prepare(sampleRate: sampleRate)
  }

  deinit {
    shown.deinitialize(count: count)
    shown.deallocate()
    moving.deallocate()
    smoothing.deallocate()
    hasBegun.deallocate()
  }

  /// Calculates the lengths of the glides in frames for a sample rate; called before any sound is heard.
  func prepare(sampleRate: Double) {
    for (index, parameter) in parameters.enumerated() {
      smoothing[index] = Int(max(0, min(parameter.smoothing * sampleRate, 1e9)))
    }
  }

  /// Returns the last value set for a parameter.
  func value(_ index: Int) -> Float { Float(bitPattern: shown[index].load(ordering: .relaxed)) }

  /// Stores a value that was sent to the rendering thread, so that `value` returns it immediately.
  func show(_ value: Float, at index: Int) { shown[index].store(value.bitPattern, ordering: .relaxed) }

  /// Copies each value of another bank to the parameter with the same name, unless the value is the default in the
  /// other bank.
  func inherit(_ other: borrowing ParameterBank) {
    for (index, parameter) in parameters.enumerated() {
      guard let place = other.parameters.firstIndex(where: { $0.name == parameter.name }) else { continue }
      let value = other.value(place)
      guard value != other.parameters[place].initial, let value = parameter.taken(value) else { continue }
      show(value, at: index)
      moving[index] = ControlGlide(value)
    }
  }

  /// The glide of each parameter, from which instruments read the values for the frames that are being rendered.
  var glides: UnsafePointer<ControlGlide> { UnsafePointer(moving) }

  /// The glide of loudness.
  var loudness: UnsafePointer<ControlGlide> { glides + (count &- 1) }

  /// Starts the glide of a parameter to a new value.
  func set(_ index: Int, to value: Float) {
    if hasBegun.pointee {
      moving[index].head(for: value, in: smoothing[index])
    } else {
      moving[index] = ControlGlide(value)
    }
  }

  /// Advances all glides by the number of rendered frames.
  ///
  /// - Parameter isRenewal: whether to update the value `held` of each glide, which is constant between two updates.
  func advance(_ frames: Int, isRenewal: Bool) {
    for index in 0..<count { moving[index].advance(frames, isRenewal: isRenewal) }
    hasBegun.pointee = true
  }
}
