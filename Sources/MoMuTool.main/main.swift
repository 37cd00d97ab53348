import MoMuTool

Momu.main()
