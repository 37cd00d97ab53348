"""Figures of a WAV file, by Python's own reader: channels rate frames peak, and the last sample."""
import sys
import wave

with wave.open(sys.argv[1]) as file:
    channels, width, rate, frames = file.getparams()[:4]
    data = file.readframes(frames)
assert len(data) == frames * channels * width, "the header promises more than there is"
samples = [int.from_bytes(data[i:i + width], "little", signed=True) for i in range(0, len(data), width)]
peak = max((abs(sample) for sample in samples), default=0)
print(channels, rate, frames, peak / 2 ** (8 * width - 1), samples[-1] if samples else 0)
