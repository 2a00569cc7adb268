# venued: what a newcomer types. `make run` and `make test` work on a fresh
# Debian machine with Go 1.26; everything else is explained in README.md.
SHELL := /bin/bash
GO ?= go
BIN := bin/venued
FUZZTIME ?= 30s
UNIT := $(shell $(GO) list ./... 2>/dev/null | grep -v -E '/test(/|$$)')

.PHONY: run cluster build test setup check unit race v3 plugins plugins-check web web-check web-test web-modules system e2e bench sim fuzz clean

run: ## start the example venue on this machine and print a join link
	$(GO) run ./cmd/venued serve

cluster: ## the example venue in four processes around a redis-server, on this machine
	$(GO) run ./cmd/venued cluster --nodes 2 --gateways 2

build: ## bin/venued
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN) ./cmd/venued

test: setup check unit v3 web-check web-test plugins-check system race ## everything, quick parts first

setup: ## install what the tests need and is not here yet (Debian packages, npm modules)
	bash test/setup.sh

check: ## formatting, vet, generated files, sample venues
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not gofmt-ed (run gofmt -w):"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) run ./cmd/venued check venue.example.toml
	for f in venues/samples/*.toml; do $(GO) run ./cmd/venued check $$f || exit 1; done

unit: ## the quick suite
	$(GO) test $(UNIT)

v3: ## golden scenarios must not depend on fused multiply-adds
	@if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo; then \
		GOAMD64=v3 $(GO) test ./lattice ./venues ./host/scene; \
	else echo "v3: this processor lacks AVX2, FMA or BMI2: cannot run GOAMD64=v3 code here; compiling it only"; GOAMD64=v3 $(GO) vet ./host/scene; fi

# Left out are packages whose machines run on one goroutine, and those whose tests would compile and replay for many minutes under
# the detector: of these run the tests that have goroutines.
RACE_APART := /host/(rules|rules/module|rules/meter|scene|scene/.*|recording/replay|store/bolt|store/storetest)$$

race: ## the packages with goroutines, and contested grabs over processes, under the race detector
	$(GO) test -race $$($(GO) list ./host/... ./rtc/... ./sdk/go/... ./sdk/loadgen/... ./sdk/rules/dev ./sdk/admin | grep -v -E '$(RACE_APART)')
	$(GO) test -race -run 'Child|AtOnce|Watchdog|Share|DamagedCache' ./host/rules
	$(GO) test -race -run 'Conformance/(ConcurrentOwners|Fencing|Ended)' ./host/store/bolt
	$(GO) build -race -o $(BIN)-race ./cmd/venued
	VENUED_BIN=$(CURDIR)/$(BIN)-race $(GO) test -race -count=1 -run TestGrabsAreLinearizable ./test/system

plugins: ## build the shipped rule plugins from source into plugins/built
	bash plugins/build.sh

plugins-check: ## rebuild them elsewhere and compare with what is committed
	bash plugins/build.sh --check

WEB := sdk/web sdk/web/sample host/console/ui

web: web-modules ## bundle the page and the console into their dist folders
	$(GO) run ./sdk/web/build
	$(GO) run ./host/console/ui/build

web-check: web-modules ## bundle them elsewhere and compare with what is committed
	$(GO) run ./sdk/web/build --check
	$(GO) run ./host/console/ui/build --check

web-test: web-modules ## types and unit tests of the TypeScript client, the page and the console
	for d in $(WEB); do (cd $$d && npm run --silent typecheck && npm test --silent) || exit 1; done

web-modules: ## the npm modules that these need, where they are not here yet
	@for d in $(WEB); do \
		if [ ! -f $$d/node_modules/.package-lock.json ] || [ $$d/package-lock.json -nt $$d/node_modules/.package-lock.json ]; then \
			echo "installing the npm modules of $$d"; (cd $$d && npm ci --ignore-scripts --no-audit --no-fund --silent) || exit 1; \
		fi; done

system: build ## whole processes: bots over every lane, kill -9, another WebRTC implementation, browsers
	VENUED_BIN=$(CURDIR)/$(BIN) $(GO) test -p 1 -count=1 -timeout 15m ./test/...

e2e: setup build ## the page and the console in headless Chromium; pictures in artifacts/browser
	VENUED_BIN=$(CURDIR)/$(BIN) $(GO) test -count=1 -timeout 15m -v ./test/browser

bench: ## every benchmark, each beside its baseline
	$(GO) test -run '^$$' -bench . -benchmem $(UNIT)

SEEDS ?= 1000

sim: ## a simulated cluster, SEEDS (1000) times: docs/simulator.md
	$(GO) run ./scheduler/sim/run -seeds $(SEEDS)

fuzz: ## every fuzz target for FUZZTIME (30s)
	bash test/fuzz.sh $(FUZZTIME)

clean:
	rm -rf bin artifacts
