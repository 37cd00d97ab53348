/// The udev rule that gives users and groups access to sensors, boards, GPIO pins, PWM channels and lights.
///
/// The commands `momu doctor --udev-rule`, `momu rig --udev-rule` and `momu-rig --udev-rule` print the rule.
package enum UdevRule {
  package static let path = "/etc/udev/rules.d/60-momu.rules"

  /// The command that installs the rule.
  package static let installing =
    "momu doctor --udev-rule | sudo tee \(path) && sudo udevadm control --reload && sudo udevadm trigger"

  // The number in the file's name is below 73, at which systemd gives access lists to tagged devices.
  package static let text = #"""
    # MoMu: access to sensors, pads and boards.
    # sudo tee /etc/udev/rules.d/60-momu.rules, then: sudo udevadm control --reload && sudo udevadm trigger

    # Motion sensors, pads and touch screens: the user at the machine, and the group input. Keyboards are left as they
    # are, since a program that reads keyboards reads every password.
    SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_ACCELEROMETER}=="1", TAG+="uaccess", GROUP="input", MODE="0660"
    SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_JOYSTICK}=="1", TAG+="uaccess", GROUP="input", MODE="0660"
    SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_TOUCHSCREEN}=="1", TAG+="uaccess", GROUP="input", MODE="0660"
    SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_TOUCHPAD}=="1", TAG+="uaccess", GROUP="input", MODE="0660"

    # Sensors of Industrial I/O: their scans, and the attributes that switch the scans on.
    SUBSYSTEM=="iio", KERNEL=="iio:device*", TAG+="uaccess", GROUP="input", MODE="0660"
    SUBSYSTEM=="iio", KERNEL=="iio:device*", ACTION!="remove", RUN+="/bin/sh -c 'cd /sys%p && for file in buffer/enable buffer/length buffer/watermark scan_elements/*_en trigger/current_trigger current_timestamp_clock; do [ ! -e $$file ] || { chgrp input $$file; chmod g+w $$file; }; done'"

    # Pins, PWM channels and lights: the group gpio, as on Raspberry Pi OS. Debian has no such group; the package momu-rig
    # makes it, and so does: sudo groupadd --system gpio. Without the group, these devices stay the system's.
    SUBSYSTEM=="gpio", KERNEL=="gpiochip*", ACTION!="remove", RUN+="/bin/sh -c 'getent group gpio >/dev/null 2>&1 && chgrp gpio %N && chmod 0660 %N; :'"
    SUBSYSTEM=="pwm", KERNEL=="pwmchip*", ACTION!="remove", RUN+="/bin/sh -c 'getent group gpio >/dev/null 2>&1 && cd /sys%p && for file in export unexport pwm*/period pwm*/duty_cycle pwm*/enable; do [ ! -e $$file ] || { chgrp gpio $$file; chmod g+w $$file; }; done; :'"
    SUBSYSTEM=="leds", ACTION!="remove", RUN+="/bin/sh -c 'getent group gpio >/dev/null 2>&1 && cd /sys%p && for file in brightness trigger; do [ ! -e $$file ] || { chgrp gpio $$file; chmod g+w $$file; }; done; :'"

    # Boards on serial lines: the group dialout. ModemManager is kept from boards by their makers, and from nothing else, so
    # that a rig's modem goes on: Arduino, Raspberry Pi, Adafruit, WCH, Silicon Labs, FTDI, PJRC, Espressif, Seeed, SparkFun.
    SUBSYSTEM=="tty", KERNEL=="ttyACM*|ttyUSB*", TAG+="uaccess", GROUP="dialout", MODE="0660"
    SUBSYSTEM=="tty", KERNEL=="ttyACM*|ttyUSB*", ATTRS{idVendor}=="2341|2a03|2e8a|239a|1a86|10c4|0403|16c0|303a|2886|1b4f", ENV{ID_MM_DEVICE_IGNORE}="1", ENV{ID_MM_PORT_IGNORE}="1"

    """#
}
