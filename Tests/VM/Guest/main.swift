import Glibc
if CommandLine.arguments.contains("--list") { print("hello") } else { print("ok hello"); sleep(100) }
