"""Prints the fields that tshark reads in RTP-MIDI packets: journal.py FILE.pcap

Prints a line for each packet: every field of its journal that is no length or table of contents, with the value that
tshark shows, then how many bytes of the packet no field covers.
"""
import re
import subprocess
import sys
import xml.etree.ElementTree

SKIPPED = re.compile("toc|sysjour_toc|cmd_|._length|._.flag|h=|t_channel|m_msb_entry|m_a_button_full")
pdml = subprocess.run(
    ["tshark", "-r", sys.argv[1], "-d", "udp.port==5005,rtp", "-o", "rtpmidi.midi_payload_type_value:97", "-T", "pdml"],
    check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
for packet in xml.etree.ElementTree.fromstring(pdml).iter("packet"):
    said, covered, end = [], 0, 0
    for proto in packet.iter("proto"):
        if proto.get("name") == "rtp":
            end = int(proto.get("pos")) + int(proto.get("size"))
        if proto.get("name") in ("_ws.malformed", "malformed"):
            said.append("malformed")
        if proto.get("name") != "rtpmidi":
            continue
        for field in proto.iter("field"):
            if field.get("size"):
                covered = max(covered, int(field.get("pos")) + int(field.get("size")))
            name = field.get("name") or ""
            if name.startswith("rtpmidi.") and field.get("show", ""):
                value = field.get("show")
                value = {"True": "1", "False": "0"}.get(value, value)
                name = re.sub("rtpmidi|chanjour_|[cs]j_chapter_|_?flag|log_|check_", "", name).strip("._")
                said.append(f"{name}={int(value, 0)}" if re.fullmatch("0x[0-9a-f]+|[0-9]+", value) else name)
    # The list ends where the journal's header begins: s, y, a, h.
    starts = [place for place, one in enumerate(said[:-1]) if one[:2] == "s=" and said[place + 1][:2] == "y="]
    first = starts[0] if starts else 0
    said = [one for one in said[first:] if not SKIPPED.match(one)]
    print(" ".join(said), "rest=" + str(max(0, end - covered)))
