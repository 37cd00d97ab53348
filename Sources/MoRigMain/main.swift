import Glibc
import MoRig

signal(SIGPIPE, SIG_IGN)
let status = RigProgram.run(Array(CommandLine.arguments.dropFirst())) { print($0, terminator: "") }
exit(status)
