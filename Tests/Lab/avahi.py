"""Avahi on every host of a lab: a bus and a daemon each, as on machines of their own."""
import os
import shutil
import subprocess
import time

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
"""
DAEMON = """[server]
host-name=p{node}
use-ipv4={ipv4}
use-ipv6={ipv6}
allow-interfaces=eth0
[wide-area]
enable-wide-area=no
"""
LONGEST_START = 10  # seconds


def missing():
    """Why there can be no Avahi, or None."""
    for program, package in (("avahi-daemon", "avahi-daemon"), ("dbus-daemon", "dbus-daemon")):
        if not find(program):
            return f"no {program}: sudo apt-get install {package}"
    return None


def find(program):
    """Also where only root's PATH leads."""
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def address(nodes, node):
    """Of a host's bus: what DBUS_SYSTEM_BUS_ADDRESS is for its programs."""
    return f"unix:path={nodes.folder}/bus-{node}"


def start(nodes):
    """A bus and a daemon on every host; returns when all answer."""
    for node in range(1, len(nodes.names) + 1):
        start_bus(nodes, node)
        start_daemon(nodes, node)


def start_bus(nodes, node):
    """The process of a host's bus, which answers by now."""
    bus = f"{nodes.folder}/bus-{node}.conf"
    with open(bus, "w") as file:
        file.write(BUS.format(address=address(nodes, node)))
    process = nodes.start(
        node, [find("dbus-daemon"), f"--config-file={bus}", "--nofork", "--nopidfile"], stderr=subprocess.DEVNULL)
    wait_for(f"{nodes.folder}/bus-{node}")
    return process


def start_daemon(nodes, node):
    """The process of a host's daemon, which answers by now."""
    daemon = f"{nodes.folder}/avahi-{node}.conf"
    with open(daemon, "w") as file:
        file.write(DAEMON.format(
            node=node, ipv4="no" if nodes.ipv6 else "yes", ipv6="yes" if nodes.ipv6 else "no"))
    # The daemon's socket and its record of being there have one fixed place: each host has that for itself.
    process = nodes.start(node, [
        "sh", "-ec", f"""
            mkdir -p /run/avahi-daemon
            mount -t tmpfs none /run/avahi-daemon
            export DBUS_SYSTEM_BUS_ADDRESS={address(nodes, node)}
            exec {find("avahi-daemon")} -f {daemon} --no-drop-root --no-chroot --no-rlimits 2>{daemon}.txt"""])
    wait_for(f"{daemon}.txt", "startup complete")
    return process


def wait_for(path, words=""):
    end = time.monotonic() + LONGEST_START
    while time.monotonic() < end:
        if os.path.exists(path) and (not words or words in open(path).read()):
            return
        time.sleep(0.02)
    said = open(path).read() if words and os.path.exists(path) else ""
    raise SystemExit(f"waited in vain for {path} {words}\n{said}".strip())
