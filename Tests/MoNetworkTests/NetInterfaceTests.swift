import Glibc
import MoNetwork
import Testing

@Suite("The network interfaces of a machine")
struct NetInterfaceTests {
  @Test("two addresses of an interface on the same network share a broadcast address, which is listed once")
  func broadcasts() throws {
    var interface = try #require(NetInterface.all().first)
    interface.broadcasts = []
    for address in ["192.168.0.255", "10.0.0.255", "192.168.0.255"] { interface.add(broadcast: address) }
    #expect(interface.broadcasts == ["192.168.0.255", "10.0.0.255"])
  }

  @Test("an address with a label, such as lo:1, belongs to its interface, which is listed once")
  func labels() {
    // The list, as getifaddrs makes it.
    let names = ["lo", "lo:1"].map { (name: String) in strdup(name) }
    let addresses = UnsafeMutablePointer<sockaddr_in>.allocate(capacity: 2)
    let entries = UnsafeMutablePointer<ifaddrs>.allocate(capacity: 2)
    defer {
      for name in names { free(name) }
      addresses.deallocate()
      entries.deallocate()
    }
    for index in 0..<2 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = (0x7F00_0001 + UInt32(index)).bigEndian
      (addresses + index).initialize(to: address)
      var entry = ifaddrs()
      entry.ifa_next = index == 0 ? entries + 1 : nil
      entry.ifa_name = names[index]
      entry.ifa_addr = UnsafeMutableRawPointer(addresses + index).assumingMemoryBound(to: sockaddr.self)
      (entries + index).initialize(to: entry)
    }
    let interfaces = NetInterface.all(in: entries)
    #expect(interfaces.map(\.name) == ["lo"])
    #expect(interfaces.map { Set($0.addresses) } == [["127.0.0.1", "127.0.0.2"]])
  }
}
