/// A service as a directory lists it; a service on several interfaces, or with both IPv4 and IPv6, has several entries.
package struct ServiceName: Hashable, Sendable {
  /// The interface's index.
  package var interface: Int32
  /// The protocol over which the service was found: 0 for IPv4, 1 for IPv6.
  package var family: Int32
  /// The service's instance name: the part of its full name before the service type.
  package var name: String
  /// The service's domain, usually `local`.
  package var domain: String

  /// Creates a service from its parts.
  package init(interface: Int32, family: Int32, name: String, domain: String) {
    (self.interface, self.family, self.name, self.domain) = (interface, family, name, domain)
  }
}
