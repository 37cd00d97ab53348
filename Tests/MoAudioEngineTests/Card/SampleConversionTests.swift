import MoAudioEngine
import Testing

@Suite("Sample conversion")
struct SampleConversionTests {
  /// Floats as a card's samples, and their faults.
  private func encode(_ floats: [Float], _ format: SampleFormat) -> ([Int64], SampleConversion.Faults) {
    var source = floats
    var bytes = [UInt8](repeating: 0xa5, count: floats.count * format.bytes + 1)
    let faults = source.withUnsafeMutableBufferPointer { source in
      bytes.withUnsafeMutableBytes { target in
        SampleConversion.encode(source, to: target.baseAddress!, as: format)
      }
    }
    #expect(bytes.last == 0xa5, "writes its samples and no more")
    return (whole(bytes, floats.count, format), faults)
  }

  /// The samples as integers, read byte by byte, little-endian.
  private func whole(_ bytes: [UInt8], _ count: Int, _ format: SampleFormat) -> [Int64] {
    (0..<count).map { index in
      let range = index * format.bytes..<(index + 1) * format.bytes
      let unsigned = bytes[range].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      let spare = Int64(64 - 8 * format.bytes)
      return (unsigned << spare) >> spare
    }
  }

  private func decode(_ values: [Int64], _ format: SampleFormat) -> [Float] {
    let bytes = values.flatMap { value in
      (0..<format.bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return decodeBytes(bytes, format).0
  }

  private func decodeBytes(_ bytes: [UInt8], _ format: SampleFormat) -> ([Float], SampleConversion.Faults) {
    var floats = [Float](repeating: .nan, count: bytes.count / format.bytes)
    let faults = floats.withUnsafeMutableBufferPointer { target in
      bytes.withUnsafeBytes { SampleConversion.decode($0.baseAddress!, as: format, to: target) }
    }
    return (floats, faults)
  }

  @Test("restores all 65536 values of 16 bits bit-exactly, with a float of n / 32768")
  func everyShort() {
    let values = (-32_768...32_767).map(Int64.init)
    let floats = decode(values, .s16)
    #expect(floats == values.map { Float(Double($0) / 32_768) })
    #expect(encode(floats, .s16).0 == values)
    #expect(encode(floats, .s16).1 == SampleConversion.Faults())
  }

  @Test("restores values of 24 bits bit-exactly", arguments: [SampleFormat.s24, .s24Packed])
  func twentyFour(_ format: SampleFormat) {
    let values = stride(from: Int64(-8_388_608), through: 8_388_607, by: 251) + [8_388_607, -1, 0, 1]
    let floats = decode(values, format)
    #expect(floats == values.map { Float(Double($0) / 8_388_608) })
    #expect(encode(floats, format).0 == values)
  }

  @Test("keeps the top 24 of 32 bits, for any lower bits")
  func thirtyTwo() {
    let edges: [Int64] = [
      0x7fff_ffff, 0x7fff_feff, 0x7fff_fe80, 0x100, 0xff, 1, 0, -1, -255, -256, -257, -0x7fff_feff,
      -0x8000_0000,
    ]
    let values = stride(from: Int64(-0x8000_0000), through: 0x7fff_ffff, by: 64_997) + edges
    let back = encode(decode(values, .s32), .s32).0
    #expect(back.map { $0 >> 8 } == values.map { $0 >> 8 })
  }

  @Test("reads a 24-bit sample from its low three bytes, for any fourth byte")
  func fourthByte() {
    #expect(decodeBytes([0xff, 0xff, 0x7f, 0xa5], .s24).0 == [Float(8_388_607.0 / 8_388_608)])
    #expect(decodeBytes([0x00, 0x00, 0x80, 0x00], .s24).0 == [-1])
  }

  @Test("rounds to the nearest step, ties to even, over the whole range")
  func rounding() {
    let steps: [(Double, Int64)] = [
      (0.49, 0), (0.5, 0), (0.51, 1), (1.5, 2), (2.5, 2), (-0.5, 0), (-0.51, -1), (-1.5, -2),
      (1000.499, 1000),
      (-32_767.5, -32_768), (32_766.5, 32_766),
    ]
    #expect(encode(steps.map { Float($0.0 / 32_768) }, .s16).0 == steps.map(\.1))
    // A float has more bits than a step of 16 or 24; the rule holds for any float.
    var state: UInt64 = 1
    let floats = (0..<20_000).map { _ -> Float in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int64(bitPattern: state) >> 11) * 0x1p-52
    }
    for (format, scale) in [(SampleFormat.s16, 0x1p15), (.s24, 0x1p23), (.s24Packed, 0x1p23), (.s32, 0x1p31)]
    {
      let expected = floats.map { Int64(min((Double($0) * scale).rounded(.toNearestOrEven), scale - 1)) }
      #expect(encode(floats, format).0 == expected)
    }
  }

  @Test(
    "clamps samples from full scale on, and counts those beyond",
    arguments: zip([SampleFormat.s16, .s24, .s24Packed, .s32], [15, 23, 23, 31]))
  func clipping(_ format: SampleFormat, _ bits: Int) {
    let top = Int64(1) << bits
    let (samples, faults) = encode([1, -1, 1.0001, -1.0001, 1e30, -.infinity, .infinity], format)
    #expect(samples == [top - 1, -top, top - 1, -top, top - 1, -top, top - 1])
    #expect(faults == SampleConversion.Faults(notNumbers: 0, clipped: 5))
  }

  @Test("silences NaN and counts it, in every format", arguments: SampleFormat.allCases)
  func notNumbers(_ format: SampleFormat) {
    let (samples, faults) = encode([.nan, 0, -.nan, .signalingNaN, 0.0], format)
    #expect(samples == [0, 0, 0, 0, 0])
    #expect(faults == SampleConversion.Faults(notNumbers: 3, clipped: 0))
  }

  @Test(
    "converts denormal numbers to integer 0", arguments: [SampleFormat.s16, .s24, .s24Packed, .s32])
  func denormals(_ format: SampleFormat) {
    let tiny: [Float] = [.leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude / 2]
    let (samples, faults) = encode(tiny, format)
    #expect(samples == [0, 0, 0])
    #expect(faults == SampleConversion.Faults())
  }

  @Test("passes floats unchanged, except those beyond ±1, both ways")
  func floats() {
    let (samples, faults) = encode([0.1, -1, 2, -0.0], .float)
    #expect(samples.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) } == [0.1, -1, 1, -0.0])
    #expect(faults == SampleConversion.Faults(notNumbers: 0, clipped: 1))
    let bytes = [Float.nan, 0.25, -.infinity].flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    let (read, wrong) = decodeBytes(bytes, .float)
    #expect(read == [0, 0.25, -1])
    #expect(wrong == SampleConversion.Faults(notNumbers: 1, clipped: 1))
  }
}

@Suite("Channel map")
struct ChannelMapTests {
  private func copy(_ source: [Float], from: Int, to: Int) -> [Float] {
    let frames = source.count / from
    var target = [Float](repeating: 9, count: frames * to)
    target.withUnsafeMutableBufferPointer { target in
      source.withUnsafeBufferPointer {
        ChannelMap(from: from, to: to).copy($0.baseAddress!, to: target.baseAddress!, frames: frames)
      }
    }
    return target
  }

  @Test("sends mono to every channel")
  func mono() { #expect(copy([1, 2], from: 1, to: 3) == [1, 1, 1, 2, 2, 2]) }

  @Test("keeps identical layouts")
  func alike() { #expect(copy([1, 2, 3, 4], from: 2, to: 2) == [1, 2, 3, 4]) }

  @Test("leaves unused channels silent")
  func more() { #expect(copy([1, 2, 3, 4], from: 2, to: 4) == [1, 2, 0, 0, 3, 4, 0, 0]) }

  @Test("uses the first of more channels than requested")
  func fewer() { #expect(copy([1, 2, 3, 4, 5, 6], from: 3, to: 2) == [1, 2, 4, 5]) }
}
