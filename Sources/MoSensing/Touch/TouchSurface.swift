import CEvdev

/// The axes and the rotation of a touch device, by which the device's numbers are converted to positions.
package struct TouchSurface: Sendable {
  /// The range of an axis.
  package struct Axis: Sendable, Equatable {
    var least: Int32
    var most: Int32
    /// The units per mm; 0 if the device does not report the resolution.
    var resolution: Int32

    package init(_ least: Int32, _ most: Int32, resolution: Int32 = 0) {
      self.least = least
      self.most = most
      self.resolution = resolution
    }

    init(_ info: input_absinfo) { self.init(info.minimum, info.maximum, resolution: info.resolution) }

    /// Returns the position along the axis, 0 … 1, of the device's number `value`, clamped to the range of the axis.
    func part(_ value: Int32) -> Float {
      guard most > least else { return 0 }
      return min(max(Float(Int(value) - Int(least)) / length, 0), 1)
    }

    // The difference of two Int32 may not fit an Int32.
    var length: Float { Float(Int(most) - Int(least)) }
  }

  /// The way in which the device reports contacts.
  package enum Manner: Sendable, Equatable {
    /// Contacts in slots (multitouch protocol B): a finger stays in its slot; the value is the number of slots.
    case slots(Int)
    /// A single contact, by BTN_TOUCH.
    case single
    /// A pointer that moves, and touches while its button is down.
    case mouse
  }

  var kind: Manner
  var x: Axis
  var y: Axis
  var pressure: Axis?
  var size: Axis?
  /// The quarter turns clockwise by which the device is turned relative to the picture.
  package var quarters = 0

  /// The width and the height of the virtual surface on which a mouse moves its pointer, in counts of the mouse.
  static let mouseCounts: Int32 = 1000

  /// - Throws: `SensorError.wrongDevice` for a device that cannot be touched.
  init(_ device: EvdevDevice, _ opening: SensorOpenContext<Touch>, quarters: Int) throws(SensorError) {
    // No driver uses protocol A, without slots, any more: it has ABS_MT_POSITION_X and is read as single.
    let isMulti = device.has(EV_ABS, ABS_MT_SLOT) && device.has(EV_ABS, ABS_MT_POSITION_X)
    let codes =
      isMulti
      ? (ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_PRESSURE) : (ABS_X, ABS_Y, ABS_PRESSURE)
    if let x = device.axis(codes.0), let y = device.axis(codes.1),
      isMulti || device.has(EV_KEY, BTN_TOUCH)
    {
      self.init(
        isMulti ? .slots(Int(device.axis(ABS_MT_SLOT)?.maximum ?? 0) + 1) : .single, x: Axis(x), y: Axis(y),
        pressure: device.axis(codes.2).map { Axis($0) },
        size: isMulti ? device.axis(ABS_MT_TOUCH_MAJOR).map { Axis($0) } : nil, quarters: quarters)
    } else if device.has(EV_REL, REL_X), device.has(EV_REL, REL_Y), device.has(EV_KEY, BTN_LEFT) {
      self.init(mouseTurned: quarters)
    } else {
      throw .wrongDevice(path: device.path, noun: opening.noun, advice: opening.advice())
    }
  }

  package init(mouseTurned quarters: Int = 0) {
    kind = .mouse
    x = Axis(0, TouchSurface.mouseCounts)
    y = Axis(0, TouchSurface.mouseCounts)
    self.quarters = quarters
  }

  package init(
    _ kind: Manner, x: Axis, y: Axis, pressure: Axis? = nil, size: Axis? = nil, quarters: Int = 0
  ) {
    self.kind = kind
    (self.x, self.y, self.pressure, self.size, self.quarters) = (x, y, pressure, size, quarters)
  }

  /// Returns the position of a contact on the rotated surface: as shares of its width and height, 0 … 1, and in mm.
  ///
  /// The position in mm is nil if the device does not report the resolution of its axes.
  func place(_ contact: TouchContact) -> (part: SIMD2<Float>, millimetres: SIMD2<Float>?) {
    var part = SIMD2(x.part(contact.x), y.part(contact.y))
    var millimetres: SIMD2<Float>?
    var extent = SIMD2<Float>.zero
    if x.resolution > 0, y.resolution > 0 {
      extent = SIMD2(x.length / Float(x.resolution), y.length / Float(y.resolution))
      millimetres = part * extent
    }
    for _ in 0..<quarters {
      part = SIMD2(1 - part.y, part.x)
      millimetres = millimetres.map { SIMD2(extent.y - $0.y, $0.x) }
      extent = SIMD2(extent.y, extent.x)
    }
    return (part, millimetres)
  }
}

/// A contact in the units of the device's axes.
package struct TouchContact: Equatable, Sendable {
  var x: Int32 = 0
  var y: Int32 = 0
  var pressure: Int32 = 0
  var size: Int32 = 0

  package init(x: Int32 = 0, y: Int32 = 0, pressure: Int32 = 0, size: Int32 = 0) {
    (self.x, self.y, self.pressure, self.size) = (x, y, pressure, size)
  }
}
