import MoDSP
import Testing

@Suite("Rotations")
struct RotationTests {
  @Test("a vector rotates as in NumPy, and keeps its length", arguments: GeometryValues.rotations)
  func rotate(row: [Float]) {
    let rotation = Quaternion(radians: row[3], about: Vector3(row, at: 0))
    let vector = Vector3(row, at: 4)
    let wanted = Vector3(row, at: 7)
    #expect(rotation.rotate(vector).isNear(wanted))
    #expect(Matrix4.rotation(rotation).transform(point: vector).isNear(wanted))
    #expect(rotation.conjugate.rotate(wanted).isNear(vector))
  }

  @Test("pitch, yaw and roll are three rotations, roll first", arguments: GeometryValues.attitudes)
  func attitude(row: [Float]) {
    let rotation = Quaternion(pitch: row[0], yaw: row[1], roll: row[2])
    #expect(rotation.rotate(Vector3(row, at: 3)).isNear(Vector3(row, at: 6)))
  }

  @Test("a product rotates by its right side first")
  func product() {
    let a = Quaternion(radians: 0.7, about: Vector3(1, 2, 3))
    let b = Quaternion(radians: -1.9, about: Vector3(0, 1, -1))
    let vector = Vector3(3, -1, 2)
    #expect((a * b).rotate(vector).isNear(a.rotate(b.rotate(vector))))
    #expect((a * .identity) == a)
    #expect(Matrix4.rotation(a * b).isNear(Matrix4.rotation(a) * Matrix4.rotation(b)))
  }

  @Test("angle and axis are restored, and the identity has the angle 0 and an axis")
  func angleAndAxis() {
    for angle in stride(from: Float(0.001), to: 3.14, by: 0.1) {
      let axis = Vector3(2, -1, 0.5)
      let (back, around) = Quaternion(radians: angle, about: axis).angleAndAxis
      #expect(abs(back - angle) < 1e-5)
      #expect(around.isNear(axis.normalized, within: 1e-4))
    }
    #expect(Quaternion.identity.angleAndAxis.radians == 0)
    #expect(Quaternion.identity.angleAndAxis.axis.length == 1)
    let long = Quaternion(radians: 5, about: Vector3(0, 0, 1)).angleAndAxis
    #expect(abs(long.radians - (2 * .pi - 5)) < 1e-5)
    #expect(long.axis.isNear(Vector3(0, 0, -1)))
    #expect(Quaternion(radians: 1, about: .zero) == .identity)
    #expect(Quaternion(w: 0, x: 0, y: 0, z: 0).normalized == .identity)
  }

  @Test("a rotation takes a direction to another, also to its opposite")
  func shortest() {
    let directions = [
      Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, -1), Vector3(1, 2, -3),
      Vector3(-1, -2, 3), Vector3(1, 1e-4, 0),
    ]
    for start in directions {
      for end in directions {
        #expect(
          Quaternion(from: start, to: end).rotate(start.normalized).isNear(end.normalized, within: 1e-3))
      }
    }
    #expect(Quaternion(from: .zero, to: Vector3(1, 0, 0)) == .identity)
  }

  @Test("half way between two rotations is half the angle, on the shorter way")
  func mixed() {
    let axis = Vector3(1, 1, 0)
    let start = Quaternion(radians: 0.2, about: axis)
    for end: Float in [1.4, 2.9, 1.4 + 2 * .pi] {
      let other = Quaternion(radians: end, about: axis)
      for part in stride(from: Float(0), through: 1, by: 0.25) {
        let wanted = Quaternion(radians: 0.2 + part * (end.remainder(dividingBy: 2 * .pi) - 0.2), about: axis)
        let vector = Vector3(0, 1, 2)
        #expect(
          start.mixed(with: other, part: part).rotate(vector).isNear(wanted.rotate(vector), within: 1e-4))
      }
    }
    #expect(start.mixed(with: start, part: 0.5).rotate(axis).isNear(start.rotate(axis)))
  }
}
