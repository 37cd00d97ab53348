/// An example of a configuration.
package enum RigExample {
  package static let text = """
    # What this rig reads, and where it sends it (momu rig). One setting a line.

    [rig]
    name = kitchen
    to = 192.168.0.7:9000      # several with commas; name.local:9000, broadcast:9000
    statistics = 10            # seconds between two /momu/rig and /momu/rig/sensor; 0 for none

    [accel]                    # the best accelerometer there is, to /momu/accel, in g
    rate = 50                  # messages a second at most
    dead-band = 0.02           # a value must change by more than that
    smooth = 0.1               # seconds in which a step is followed
    repeat = 10                # seconds after which an unchanged value is sent again

    [sensor light]             # momu devices names sources
    source = iio:als
    channel = illuminance
    address = /kitchen/light
    to = broadcast:6449
    rate = 2

    [buttons]
    stamped = yes              # with the moment at which it was measured, as a bundle

    """
}
