import MoDSP
import Testing

@Suite("Camera matrices")
struct MatrixTests {
  @Test("perspective is gluPerspective", arguments: GeometryValues.perspectives)
  func perspective(row: [Float]) {
    let made = Matrix4.perspective(fieldOfView: row[0], aspect: row[1], near: row[2], far: row[3])
    #expect(made.isNear(Matrix4(row, at: 4)))
    // Points at the near and far planes map to −1 and 1, points at the upper edge of view to 1.
    let edge = row[2] / Matrix4(row, at: 4)[1, 1]
    #expect(abs(made.transform(point: Vector3(0, edge, -row[2])).z + 1) < 1e-4)
    #expect(abs(made.transform(point: Vector3(0, edge, -row[2])).y - 1) < 1e-4)
    #expect(abs(made.transform(point: Vector3(0, 0, -row[3])).z - 1) < 1e-3)
  }

  @Test("orthographic is glOrtho", arguments: GeometryValues.orthographics)
  func orthographic(row: [Float]) {
    let made = Matrix4.orthographic(
      left: row[0], right: row[1], bottom: row[2], top: row[3], near: row[4], far: row[5])
    #expect(made.isNear(Matrix4(row, at: 6)))
    #expect(made.transform(point: Vector3(row[1], row[2], -row[5])).isNear(Vector3(1, -1, 1), within: 1e-4))
  }

  @Test("look is gluLookAt", arguments: GeometryValues.looks)
  func look(row: [Float]) {
    let (eye, target) = (Vector3(row, at: 0), Vector3(row, at: 3))
    let made = Matrix4.look(from: eye, at: target, up: Vector3(row, at: 6))
    #expect(made.isNear(Matrix4(row, at: 9)))
    #expect(made.transform(point: eye).length < 1e-4)
    #expect(made.transform(point: target).isNear(Vector3(0, 0, -(target - eye).length), within: 1e-4))
  }

  @Test(
    "the inverse equals NumPy's and undoes the matrix, and a singular matrix has none",
    arguments: GeometryValues.inverses)
  func inverse(row: [Float]) throws {
    let matrix = Matrix4(row, at: 0)
    let inverse = try #require(matrix.inverse)
    #expect(inverse.isNear(Matrix4(row, at: 16), within: 1e-4))
    #expect((matrix * inverse).isNear(.identity, within: 1e-4))
    #expect(Matrix4.scale(Vector3(1, 0, 1)).inverse == nil)
    #expect(Matrix4.identity.inverse == .identity)
  }

  @Test("elements are column by column, as OpenGL expects")
  func elements() {
    let moved = Matrix4.translation(Vector3(7, 8, 9))
    #expect((0..<16).map { moved.elements[$0] } == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1])
    #expect(moved[0, 3] == 7)
    #expect(moved.transposed[3, 0] == 7)
    #expect(moved.transform(point: .zero) == Vector3(7, 8, 9))
    #expect(moved.transform(direction: Vector3(1, 0, 0)) == Vector3(1, 0, 0))
  }

  @Test("quarter turns take the upper edge to the left, then to the bottom, then to the right")
  func screen() {
    let top = Vector3(0, 240, 0)
    let wanted = [Vector3(0, 1, 0), Vector3(-1.5, 0, 0), Vector3(0, -1, 0), Vector3(1.5, 0, 0)]
    for (turns, place) in wanted.enumerated() {
      let made = Matrix4.screen(width: 320, height: 480, quarterTurns: turns)
      #expect(made.transform(point: top).isNear(place))
      #expect(made == Matrix4.screen(width: 320, height: 480, quarterTurns: turns - 4))
    }
  }

  @Test("every camera matrix is finite, for any arguments")
  func nonsense() {
    let odd: [Float] = [0, -1, 1e-30, 1e30, .nan, .infinity]
    for first in odd {
      for second in odd {
        for made in [
          Matrix4.perspective(fieldOfView: first, aspect: second, near: 0.1, far: 100),
          Matrix4.perspective(fieldOfView: 1, aspect: 1, near: first, far: second),
          Matrix4.look(from: Vector3(0, 3, 0), at: .zero, up: Vector3(0, first == 0 ? 0 : 1, 0)),
          Matrix4.look(from: Vector3(1, 1, 1), at: Vector3(1, 1, 1)),
          Matrix4.orthographic(left: 2, right: 2, bottom: -1, top: -1, near: 0, far: 0),
        ] {
          #expect((0..<16).allSatisfy { made.elements[$0].isFinite })
        }
      }
    }
  }
}
