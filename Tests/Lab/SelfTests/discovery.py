"""Avahi on the lab's hosts."""
import subprocess

import avahi
from nodes import Nodes, needs

TYPE = "_osc._udp"


def needs_more():
    """Why this cannot be tried here, or None."""
    tools = None if avahi.find("avahi-browse") else "no avahi-browse: sudo apt-get install avahi-utils"
    return needs() or avahi.missing() or tools


def found():
    """A service that one host publishes is resolved on every other, with its address there, in bad Wi-Fi too."""
    with Nodes(3, "bad") as nodes:
        avahi.start(nodes)

        def start(node, *command, **options):
            bus = f"DBUS_SYSTEM_BUS_ADDRESS={avahi.address(nodes, node)}"
            return nodes.start(node, ["env", bus, *command], stderr=subprocess.DEVNULL, **options)

        start(1, avahi.find("avahi-publish"), "-s", "Rosa", TYPE, "9000", "id=1", stdout=subprocess.DEVNULL)
        for node in (2, 3):
            browser = start(node, avahi.find("avahi-browse"), "-rp", TYPE, stdout=subprocess.PIPE, text=True)
            for line in browser.stdout:
                if line.startswith("="):
                    break
            assert ";Rosa;" in line and ";10.77.0.1;9000;" in line, line


laws = [found]
