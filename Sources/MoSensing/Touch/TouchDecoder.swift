import CEvdev
import MoCore

/// A decoder from a touch device's events to fingers.
///
/// Changes are reported at every SYN_REPORT, with that event's time stamp. In protocol B, a slot's tracking id
/// identifies its finger: a new id is a new finger, and the id -1 means no finger. If a new id replaces another id
/// directly, a finger was lifted and another came down.
///
/// - Source: the kernel's Documentation/input/multi-touch-protocol.rst and event-codes.rst.
package struct TouchDecoder {
  private let surface: TouchSurface
  private var slots: [Slot]
  private var slot = 0
  private var lastID: Int32 = 0
  private var done: [Touch] = []

  /// A slot for a finger.
  private struct Slot {
    /// The `Touch.id` of the finger in the slot; 0 for none.
    var finger: Int32 = 0
    var contact = TouchContact()
    var isNew = false
    var hasChanged = false
  }

  package init(_ surface: TouchSurface) {
    self.surface = surface
    let count = if case .slots(let count) = surface.kind { count } else { 1 }
    slots = Array(repeating: Slot(), count: max(1, count))
    // A mouse begins in the middle.
    if surface.kind == .mouse {
      slots[0].contact = TouchContact(x: TouchSurface.mouseCounts / 2, y: TouchSurface.mouseCounts / 2)
    }
  }

  /// Handles an event; at a SYN_REPORT it returns the fingers that changed, the lifted ones first.
  package mutating func decode(_ event: EvdevDevice.Event) -> [Touch] {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_SYN, SYN_REPORT): return report(at: event.time)
    case (EV_ABS, let code): axis(code, event.value, event.time)
    case (EV_KEY, BTN_TOUCH) where surface.kind == .single, (EV_KEY, BTN_LEFT) where surface.kind == .mouse:
      slot = 0
      // 2 is a key's repetition.
      if event.value == 1, slots[0].finger == 0 {
        begin()
      } else if event.value == 0 {
        end(.ended, event.time)
      }
    case (EV_REL, REL_X) where surface.kind == .mouse: push(\.x, event.value)
    case (EV_REL, REL_Y) where surface.kind == .mouse: push(\.y, event.value)
    default: break
    }
    return []
  }

  /// Adds the finger that is in a slot when the device is opened.
  package mutating func find(_ contact: TouchContact, inSlot number: Int) {
    guard slots.indices.contains(number) else { return }
    slot = number
    slots[number].contact = contact
    begin()
  }

  /// Cancels all fingers, since the device is gone.
  package mutating func cancel(at time: HostTime) -> [Touch] {
    for number in slots.indices where slots[number].finger != 0 {
      slot = number
      end(.cancelled, time)
    }
    return report(at: time)
  }

  private mutating func axis(_ code: Int32, _ value: Int32, _ time: HostTime) {
    if case .slots = surface.kind {
      if code == ABS_MT_SLOT {
        slot = Int(value)
        return
      }
      // A slot that the device never announced is ignored.
      guard slots.indices.contains(slot) else { return }
      switch code {
      case ABS_MT_TRACKING_ID:
        end(.ended, time)
        if value >= 0 { begin() }
      case ABS_MT_POSITION_X: set(\.x, value)
      case ABS_MT_POSITION_Y: set(\.y, value)
      case ABS_MT_PRESSURE: set(\.pressure, value)
      case ABS_MT_TOUCH_MAJOR: set(\.size, value)
      default: break
      }
    } else if surface.kind == .single {
      switch code {
      case ABS_X: set(\.x, value)
      case ABS_Y: set(\.y, value)
      case ABS_PRESSURE: set(\.pressure, value)
      default: break
      }
    }
  }

  private mutating func set(_ part: WritableKeyPath<TouchContact, Int32>, _ value: Int32) {
    slots[slot].contact[keyPath: part] = value
    slots[slot].hasChanged = true
  }

  private mutating func push(_ part: WritableKeyPath<TouchContact, Int32>, _ counts: Int32) {
    let place = slots[0].contact[keyPath: part].addingReportingOverflow(counts).partialValue
    set(part, min(max(place, 0), TouchSurface.mouseCounts))
  }

  private mutating func begin() {
    lastID = lastID == .max ? 1 : lastID + 1
    slots[slot].finger = lastID
    slots[slot].isNew = true
  }

  /// Ends the finger in the current slot, if any, as lifted or cancelled.
  ///
  /// A finger that came down since the last report is first reported as down.
  private mutating func end(_ phase: Touch.Phase, _ time: HostTime) {
    guard slots[slot].finger != 0 else { return }
    if slots[slot].isNew { done.append(touch(slots[slot], .began, time)) }
    done.append(touch(slots[slot], phase, time))
    slots[slot].finger = 0
    slots[slot].isNew = false
  }

  private mutating func report(at time: HostTime) -> [Touch] {
    var touches = done
    done = []
    for number in slots.indices {
      let slot = slots[number]
      if slot.finger != 0, slot.isNew || slot.hasChanged {
        touches.append(touch(slot, slot.isNew ? .began : .moved, time))
      }
      slots[number].isNew = false
      slots[number].hasChanged = false
    }
    for index in touches.indices {
      touches[index].time = time
      touches[index].hasMore = index < touches.count - 1
    }
    return touches
  }

  private func touch(_ slot: Slot, _ phase: Touch.Phase, _ time: HostTime) -> Touch {
    let (part, millimetres) = surface.place(slot.contact)
    return Touch(
      time: time, id: slot.finger, phase: phase, x: part.x, y: part.y,
      pressure: surface.pressure?.part(slot.contact.pressure) ?? 1,
      size: surface.size == nil ? 0 : Float(slot.contact.size) / max(1, surface.x.length),
      millimetres: millimetres)
  }
}
