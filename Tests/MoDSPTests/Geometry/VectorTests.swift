import MoDSP
import MoTesting
import Testing

@Suite("Vectors")
struct VectorTests {
  private let x = Vector3(1, 0, 0)
  private let y = Vector3(0, 1, 0)
  private let z = Vector3(0, 0, 1)

  @Test("x cross y is z, in cyclic order, and the cross product is anticommutative")
  func products() {
    #expect(x.cross(y) == z)
    #expect(y.cross(z) == x)
    #expect(z.cross(x) == y)
    let (a, b) = (Vector3(1, -2, 3), Vector3(4, 5, -6))
    #expect(a.cross(b) == -b.cross(a))
    #expect(a.dot(b) == 4 - 10 - 18)
    #expect(a.cross(b).dot(a) == 0)
  }

  @Test("a length is right from the smallest numbers to the largest, and zero has length 0")
  func lengths() {
    #expect(Vector3(2, 3, 6).length == 7)
    #expect(abs(Vector3(2e37, 3e37, 6e37).length / 7e37 - 1) < 1e-6)
    #expect(abs(Vector3(2e-36, 3e-36, 6e-36).length / 7e-36 - 1) < 1e-6)
    #expect(abs(Vector3(2e37, 3e37, 6e37).normalized.length - 1) < 1e-6)
    #expect(Vector3.zero.normalized == .zero)
    #expect(Vector3.zero.length == 0)
  }

  @Test("angles turn from the first axis to the second")
  func angles() {
    #expect(abs(y.angleXY - .pi / 2) < 1e-6)
    #expect(abs(z.angleYZ - .pi / 2) < 1e-6)
    #expect(abs(z.angleXZ - .pi / 2) < 1e-6)
    #expect(abs((-x).angleXY - .pi) < 1e-6)
    #expect(abs(x.angle(to: -x) - .pi) < 1e-6)
    #expect(abs(x.angle(to: Vector3(1, 1e-5, 0)) - 1e-5) < 1e-10)
    #expect(x.angle(to: .zero) == 0)
    #expect(Vector3(length: 2, radians: .pi / 2).isNear(Vector3(0, 2, 0), within: 1e-6))
  }

  @Test("a point is projected at right angles onto a line of any length")
  func projection() throws {
    var random = TestRandom(seed: 1)
    func some() -> Float { Float(random.uniform() * 20 - 10) }
    for _ in 0..<200 {
      let (a, b, point) = (
        Vector3(some(), some(), some()), Vector3(some(), some(), some()), Vector3(some(), some(), some())
      )
      let (foot, part) = try #require(point.projected(from: a, to: b))
      #expect(abs((point - foot).dot(b - a)) < 1e-3 * max(1, (point - foot).length * (b - a).length))
      #expect(foot.isNear(a.mixed(with: b, part: part), within: 1e-4))
    }
    #expect(x.projected(from: y, to: y) == nil)
  }

  @Test("a triangle contains its corners, edges and middle, in either direction, and no other point")
  func triangle() {
    let (a, b, c) = (Vector3(0, 0, 5), Vector3(4, 0, 0), Vector3(0, 4, -9))
    for (p, q, r) in [(a, b, c), (a, c, b), (c, a, b)] {
      for inside in [a, b, c, Vector3(1, 1, 0), Vector3(2, 2, 0), Vector3(2, 0, 0)] {
        #expect(inside.isInTriangleXY(p, q, r))
      }
      for outside in [Vector3(2.01, 2, 0), Vector3(-0.01, 1, 0), Vector3(5, 0, 0)] {
        #expect(!outside.isInTriangleXY(p, q, r))
      }
    }
    #expect(!Vector3(1, 1, 0).isInTriangleXY(.zero, Vector3(2, 2, 0), Vector3(3, 3, 0)))
  }
}
