import MoMu
