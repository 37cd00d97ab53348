import MoRig
import MoTesting
import Testing

@Suite("A rig's page and service")
struct PackagingTests {
  private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func text(_ path: String) -> String { ProgramRun(shell: "cat '\(root)/\(path)'").text }

  @Test("the configuration in Docs/Pi.md has no mistake, and names the sensor and target of the page")
  func page() throws {
    let page = text("Docs/Pi.md")
    let start = try #require(page.firstRange(of: "```ini\n"))
    let end = try #require(page[start.upperBound...].firstRange(of: "```"))
    let rig = try RigReader.read(String(page[start.upperBound..<end.lowerBound]), file: "momu-rig.conf")
    #expect(rig.name == "kitchen" && rig.targets == ["192.168.0.7:9000"])
    #expect(rig.streams.map(\.title) == ["accel"])
    for path in RigFile.usual { #expect(page.contains("`\(path)`"), "\(path)") }
  }

  @Test("the service runs only if the rig finds a configuration")
  func conditions() {
    let service = text("Sources/Packaging/Debian/momu-rig.service").split(separator: "\n")
    let key = "ConditionPathExists=|"
    #expect(service.filter { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) } == RigFile.usual)
    // The rig handles a hung thread itself before systemd does.
    let watchdog = service.first { $0.hasPrefix("WatchdogSec=") }.flatMap { Double($0.dropFirst(12)) }
    #expect((watchdog ?? 0) > 30)
    #expect(service.contains("Type=notify") && service.contains("Restart=always"))
  }

  @Test("the unit in Docs/Rig.md equals the packaged unit")
  func unit() throws {
    let page = text("Docs/Rig.md")
    let start = try #require(page.firstRange(of: "```ini\n"))
    let end = try #require(page[start.upperBound...].firstRange(of: "```"))
    let packaged = text("Sources/Packaging/Debian/momu-rig.service").split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    #expect(page[start.upperBound..<end.lowerBound].split(separator: "\n") == packaged)
  }

  @Test(
    "the package contains the page that lists a rig's messages, and Docs/Pi.md states the number of its pages"
  )
  func pages() throws {
    let build = text("Sources/Packaging/Debian/build")
    let loop = try #require(build.firstMatch(of: /for document in ([\w -]+); do/)?.1)
    let packaged = loop.split(separator: " ").map { "\($0).md" }
    // The section says which page lists the addresses, types and units.
    let rig = text("Docs/Rig.md")
    let section = try #require(rig.firstRange(of: "## Reading a rig\n"))
    let page = try #require(rig[section.upperBound...].firstMatch(of: /\[(\w+\.md)\]/)?.1)
    #expect(packaged.contains(String(page)), "\(page)")
    let words = ["one": 1, "two": 2, "three": 3, "four": 4, "five": 5]
    let pi = text("Docs/Pi.md")
    let others = try #require(pi.firstMatch(of: /this page, `Rig\.md` and (\w+) others/)?.1)
    #expect(words[String(others)] == packaged.count - 2)
  }

  @Test("keeps ModemManager from the makers of boards, but not from the makers of modems")
  func modems() {
    let rules = UdevRule.text.split(separator: "\n").filter { $0.contains("ID_MM_") }
    #expect(!rules.isEmpty && rules.allSatisfy { $0.contains("ATTRS{idVendor}==") })
    // usb.ids: Huawei, ZTE, Sierra Wireless, Quectel, SIMCom, Qualcomm, u-blox, Telit, Fibocom.
    for maker in ["12d1", "19d2", "1199", "2c7c", "1e0e", "05c6", "1546", "1bc7", "2cb7"] {
      #expect(!rules.contains { $0.contains(maker) }, "\(maker)")
    }
  }

  @Test("refuses to make a package with a maintainer's address that cannot receive mail")
  func maintainer() {
    let run = ProgramRun(
      shell:
        "cd '\(root)' && MOMU_VERSION=1 DEBFULLNAME='Anna Bach' DEBEMAIL=anna Sources/Packaging/Debian/build /tmp/none 2>&1"
    )
    // A machine without dpkg reports that first.
    #expect(run.text.contains("a package names its maintainer") || run.text.contains("is missing"))
    for file in ["control", "copyright"] {
      #expect(!text("Sources/Packaging/Debian/\(file)").contains("Maintainer: "), "\(file)")
    }
  }

  @Test("refuses a package for another processor with status 1, and prints the commands that make it")
  func architecture() {
    let run = ProgramRun(
      shell: "cd '\(root)' && ARCH=riscv64 Sources/Packaging/Debian/build --check 2>&1; echo status $?")
    // A machine without dpkg does not know its own architecture, and makes no package.
    guard ProgramRun(shell: "command -v dpkg").text.isEmpty == false else { return }
    #expect(run.text.contains("No package was made"))
    #expect(run.text.contains("--platform linux/riscv64"))
    #expect(run.text.contains("make deb MOMU_PACKAGES=momu-rig"))
    #expect(run.text.hasSuffix("status 1\n"))
  }

  @Test("packages each example as a program with the prefix momu-")
  func programNames() {
    let names = ProgramRun(
      shell:
        "cd '\(root)' && eval \"$(grep '^command_of()' Sources/Packaging/Debian/build)\" && "
        + "for example in Examples/*/; do command_of \"$(basename \"$example\")\"; done"
    ).text.split(separator: "\n")
    // Echo is a command of the shell, and Duet may be another program's name.
    #expect(names.contains("momu-echo") && names.contains("momu-duet") && names.contains("momu-osc-hello"))
    #expect(names.allSatisfy { $0.hasPrefix("momu-") && $0 == $0.lowercased() })
  }

  @Test("the service applies a new configuration without a restart")
  func reload() {
    let service = text("Sources/Packaging/Debian/momu-rig.service").split(separator: "\n")
    #expect(service.contains("ExecReload=/bin/sh -c 'kill -HUP $MAINPID'"))
    #expect(service.contains { $0.hasPrefix("MemoryMax=") } && service.contains { $0.hasPrefix("TasksMax=") })
  }

  @Test("the unit permits the system calls that read the state of the clock")
  func clock() {
    let key = "SystemCallFilter="
    let lines = text("Sources/Packaging/Debian/momu-rig.service").split(separator: "\n")
    var allowed: Set<Substring> = []
    for line in lines where line.hasPrefix(key) {
      // systemd.exec(5): the later lines add names to the list, or with ~ remove them.
      let filter = line.dropFirst(key.count)
      for name in filter.drop(while: { $0 == "~" }).split(separator: " ") {
        // The set @privileged contains @clock, and the set @system-service does not.
        let calls: Set<Substring> =
          ["@privileged", "@clock"].contains(name)
          ? ["adjtimex", "clock_adjtime", "clock_adjtime64"] : [name]
        if filter.hasPrefix("~") { allowed.subtract(calls) } else { allowed.formUnion(calls) }
      }
    }
    // Which of them adjtimex(3) calls depends on the C library and on the processor.
    #expect(allowed.isSuperset(of: ["adjtimex", "clock_adjtime", "clock_adjtime64"]))
    // Without the capability, these calls cannot set the clock.
    #expect(lines.contains("CapabilityBoundingSet="))
  }

  @Test("systemd rates the service's exposure at 2.2 at most")
  func exposure() {
    let program = ProgramRun(shell: "command -v systemd-analyze")
    guard !program.text.isEmpty else { return }
    let run = ProgramRun(
      shell:
        "systemd-analyze security --offline=true --no-pager '\(root)/Sources/Packaging/Debian/momu-rig.service' | "
        + "sed -n 's/.*level for momu-rig.service: \\([0-9.]*\\).*/\\1/p'")
    guard let level = Double(run.text.filter { $0 != "\n" }) else { return }
    #expect(level <= 2.2)
  }

  @Test(
    "the unit permits the devices that the service reads and the attributes that turn on a buffer")
  func devices() {
    let service = text("Sources/Packaging/Debian/momu-rig.service")
    // Each of these hides /dev, or all devices that are not named, or makes /sys read-only (systemd.exec(5)).
    for key in ["PrivateDevices", "DeviceAllow", "ProtectClock", "ProtectKernelTunables", "DevicePolicy"] {
      #expect(!service.contains("\(key)="), "\(key)")
    }
  }
}
