"""Writes WAV files of every kind with Python's standard library:  wavs.py FOLDER

Frame i, channel c is ((37 i + 11 c) mod 255 - 127) / 128, which every coding can hold exactly.
"""
import struct
import sys
import wave

folder = sys.argv[1]
FRAMES, CHANNELS, RATE = 3001, 2, 44_100
STEPS = [(37 * i + 11 * c) % 255 - 127 for i in range(FRAMES) for c in range(CHANNELS)]


def whole(bits):
    scale = 1 << (bits - 8)
    return b"".join((step * scale).to_bytes(bits // 8, "little", signed=True) for step in STEPS)


SOUND = {
    "u8": (1, 8, bytes(step + 128 for step in STEPS)),
    "s16": (1, 16, whole(16)), "s24": (1, 24, whole(24)), "s32": (1, 32, whole(32)),
    "f32": (3, 32, struct.pack(f"<{len(STEPS)}f", *(step / 128 for step in STEPS))),
    "f64": (3, 64, struct.pack(f"<{len(STEPS)}d", *(step / 128 for step in STEPS))),
}
GUID = bytes.fromhex("000000001000800000aa00389b71")


def chunk(name, body, size=None):
    return name + struct.pack("<I", len(body) if size is None else size) + body + b"\0" * (len(body) % 2)


def fields(tag, bits, channels=CHANNELS):
    block = channels * bits // 8
    return struct.pack("<HHIIHH", tag, channels, RATE, RATE * block, block, bits)


def extended(tag, bits, valid):
    return fields(0xFFFE, bits) + struct.pack("<HHI", 22, valid, 3) + struct.pack("<H", tag) + GUID


def write(name, *chunks, form=b"RIFF", size=None):
    body = b"WAVE" + b"".join(chunks)
    with open(f"{folder}/{name}.wav", "wb") as file:
        file.write(form + struct.pack("<I", len(body) if size is None else size) + body)


for name, (tag, bits, data) in SOUND.items():
    write(name, chunk(b"fmt ", fields(tag, bits)), chunk(b"data", data))
    write("extensible-" + name, chunk(b"fmt ", extended(tag, bits, bits)), chunk(b"data", data))
    if tag == 1:
        with wave.open(f"{folder}/wave-{name}.wav", "wb") as out:
            out.setparams((CHANNELS, bits // 8, RATE, 0, "NONE", ""))
            out.writeframes(data)

fmt, data = chunk(b"fmt ", fields(1, 24)), SOUND["s24"][2]
# Twenty significant bits in three bytes: the lowest four are already 0.
write("valid-20", chunk(b"fmt ", extended(1, 24, 20)), chunk(b"data", data))
write("odd-chunks", chunk(b"LIST", b"INFOISFT\x05\0\0\0Lavf\0"), chunk(b"junk", b"x"), fmt, chunk(b"odd ", b"abc"),
      chunk(b"data", data), chunk(b"LIST", b"INFO"))
write("after", fmt, chunk(b"fact", struct.pack("<I", FRAMES)), chunk(b"data", data), chunk(b"id3 ", b"\xff" * 99))
write("pipe", fmt, chunk(b"data", data, 0xFFFFFFFF), size=0xFFFFFFFF)
for form in (b"RF64", b"BW64"):
    sizes = struct.pack("<QQQI", 80 + len(data), len(data), FRAMES, 0)
    write(form.decode().lower(), chunk(b"ds64", sizes), fmt, chunk(b"data", data, 0xFFFFFFFF), form=form,
          size=0xFFFFFFFF)

# A sound after a hole of five billion bytes, which takes no space on the disk.
with open(f"{folder}/behind-4gib.wav", "wb") as file:
    hole = 4_000_000_000
    size = hole + 1_000_000_004
    file.write(b"RF64\xff\xff\xff\xffWAVE" + chunk(b"ds64", struct.pack("<QQQI", size + 100, size, size // 6, 0)) + fmt)
    file.write(b"data\xff\xff\xff\xff")
    file.seek(size - len(data), 1)
    file.write(data)
