# MoMu for Linux: everything a person types.
#
#   make play     install what is missing, build, play ShakeDrum
#   make install  build the command momu and put it on your path
#   make test     install what tests need, run all of them
#   make help     the rest

SHELL := /bin/bash
.DELETE_ON_ERROR:
.PHONY: play install test test-long vm-test bench bench-sync docs listen deb lint build-tests deps test-deps swift help

# Every build is strict: a warning or an undeclared import is an error.
STRICT := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

play: swift
	@echo "Building ShakeDrum. A first build takes about 40 s on two cores."
	swift run Examples/ShakeDrum $(ARGS)

# The command momu on the path, for this user; PREFIX=/usr/local for all users.
PREFIX ?= $(HOME)/.local
install: swift
	@echo "Building momu. A first build takes about four minutes on two cores."
	swift build --product momu
	@mkdir -p "$(PREFIX)/bin"
	@ln -sfn "$(CURDIR)/.build/debug/momu" "$(PREFIX)/bin/momu"
	@echo "Installed $(PREFIX)/bin/momu. It follows later builds in this folder."
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) \
	  echo 'Add it to your path with this command, then log in again:'; \
	  echo '  echo '"'"'PATH="$(PREFIX)/bin:$$PATH"'"'"' >> ~/.profile';; esac

test: swift test-deps lint build-tests
	@mkdir -p .build-vm && : >.build-vm/failed
	@MOMU_VM_BUILT=1 MOMU_VM_SECONDS=900 nice -n 4 Tests/VM/run >.build-vm/said 2>&1 & machine=$$!; \
	  MOMU_FAILED=.build-vm/failed Tests/run; tests=$$?; \
	  wait $$machine; passed=$$?; cat .build-vm/said .build-vm/failed; exit $$((tests | passed))
	Tests/Fuzz/run --built 10

# Debian's kernel with real sound, input and sensor devices in a small virtual machine.
vm-test: swift test-deps
	Tests/VM/run

# What takes longer than a quarter of an hour, or must see a whole system.
test-long: test
	Tests/Long/run

# Real-time figures as ratios; JSON=FILE also writes one JSON object a line.
bench: swift test-deps
	@Tests/Setup/packages bench
	Tests/Bench/run $(if $(JSON),--json $(abspath $(JSON)))

# One beat on eight hosts whose clocks and network are bad, beside Ableton Link; as root.
bench-sync: swift test-deps
	Tests/Lab/run $(if $(JSON),--json $(abspath $(JSON)))

# Every unit and instrument as sound, with a picture of its waveform and spectrum: look, and listen.
listen: swift test-deps
	@Tests/Setup/python-packages listen
	Tests/Listen/run .build/listen

# The reference of all libraries, made by DocC; docc is part of Swift.
docs: swift
	swift build
	Tests/Docs/reference .build/debug .build/docs/MoMu.doccarchive
	@echo "Made .build/docs/MoMu.doccarchive. To read it: python3 -m http.server -d .build/docs/MoMu.doccarchive 8080,"
	@echo "then open http://localhost:8080/documentation/libraries"

# Debian packages, in .build-deb: momu-rig, which makes a Pi a rig, momu, and momu-examples; MOMU_PACKAGES=momu-rig for one.
# ARCH=arm64 compiles for a Pi on another processor.
other := $(filter-out $(shell dpkg --print-architecture 2>/dev/null),$(ARCH))
deb: $(if $(other),,swift)
	@Tests/Setup/packages deb$(if $(filter arm64,$(other)),-arm64)
	@$(if $(other),ARCH=$(ARCH) Sources/Packaging/Debian/build --check,:)
	$(if $(MOMU_PACKAGES),MOMU_PACKAGES="$(MOMU_PACKAGES)") Sources/Packaging/Debian/build

lint: swift
	swift format lint --recursive --strict Package.swift Sources Examples Tests
	Tests/Lint/words
	Tests/Lint/modules

build-tests: swift
	swift build --build-tests $(STRICT)

# The libraries that everything but MoSTK links, and what Swift needs of the system.
deps:
	@Tests/Setup/swift-version present
	@Tests/Setup/packages build

test-deps:
	@Tests/Setup/packages test
	@Tests/Setup/sound-servers
	@Tests/Setup/python-packages

swift: deps
	@Tests/Setup/swift-version

help:
	@sed -n 's/^#   //p' Makefile
	@echo 'make vm-test  the tests against kernel devices alone'
	@echo 'make test-long  soaks, sanitizers, a bare system'
	@echo 'make bench    the figures'
	@echo 'make bench-sync  one beat in a bad network, as root'
	@echo 'make listen   every unit and instrument as sound and picture, on a page'
	@echo 'make docs     the reference of all libraries, to browse'
	@echo 'make deb      Debian packages of the rig, the tool and the examples'
	@echo 'make lint     format and documentation of the sources'
