"""Prints the first frame of a 24-bit WAV file that is not silent."""
import sys
import wave

with wave.open(sys.argv[1]) as file:
    size = file.getnchannels() * file.getsampwidth()
    frames = file.readframes(file.getnframes())
    print(next((i for i in range(file.getnframes()) if any(frames[i * size:(i + 1) * size])), -1))
