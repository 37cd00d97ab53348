"""The figures, as a table for people and as lines of JSON for programs."""
import json


class Table:
    """Prints every row as soon as it is known, and writes it to `path` where one is given."""

    def __init__(self, path=None):
        self.file = open(path, "w") if path else None
        print(f"{'':48} {'MoMu':>9} {'':7} {'peer':>9} {'ratio':>6}")

    def row(self, name, value, unit, peer=None, peer_value=None, goal=""):
        """One figure; `peer_value` is the same of `peer`, None where there is none on this machine."""
        ratio = value / peer_value if peer_value else None
        against = f"{peer_value:9.3f} {ratio:6.2f}  {peer}" if peer_value else f"{'–':>9} {'–':>6}"
        if peer_value == 0:
            against = f"{0:9.3f} {'–':>6}  {peer}"
        print(f"{name:48} {value:9.3f} {unit:7} {against:50} {goal}".rstrip(), flush=True)
        if self.file:
            line = dict(name=name, value=value, unit=unit, peer=peer if peer_value is not None else None,
                        peer_value=peer_value, ratio=ratio)
            self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self.file.flush()
