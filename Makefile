# "make test" is all there is to know: it sets up what it needs and runs everything.
# Each target below is one stage of it, or something longer that is not run every time.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Everything builds without cgo, so that one build is shared by vet, staticcheck, the binary and the black-box tests.
# Only the race detector needs it, and has a build of its own anyway.
export CGO_ENABLED := 0

# Real mail to test with, where a copy of the corpora lies beside the checkout.
ifneq ($(wildcard ../shared/corpora),)
export MAILKIN_CORPORA ?= $(abspath ../shared/corpora)
endif

# The reference verifier of webhook signatures; "make setup" brings it.
export MAILKIN_TEST_NODE_MODULES ?= $(CURDIR)/bin/node/node_modules

# The client of the Model Context Protocol's own SDK; "make setup" brings it, too.
export MAILKIN_TEST_MCP_MODULES ?= $(CURDIR)/bin/mcp/node_modules

# The clients of the services whose interfaces our doors speak, and Playwright.
export MAILKIN_TEST_DOOR_MODULES ?= $(CURDIR)/bin/doors/node_modules

# What reads one mail in one goroutine.
READERS := lexicon/... extract/... screen/... view/...

# SQLite's own code, translated by a machine, is not watched for races: that took two thirds of the time of the tests
# that use it. Nor is what compresses, which moves megabytes about between buffers of its own.
OTHERS    := modernc.org/sqlite/lib modernc.org/libc modernc.org/memory github.com/klauspost/compress/...
UNWATCHED := $(patsubst %,-gcflags=%=-race=false,$(OTHERS) $(READERS:%=github.com/mailkin/mailkin/internal/%))

# Scenarios that bring their own stores run once. "make test" leaves out more on PostgreSQL: what is about a protocol and
# not about what is kept, and crash tests that take long, which three nodes have for themselves. "make postgres" runs all.
OWN_STORES := ^Test(Nodes|Move|Database|Bucket|Scale)
ONCE       := \
  MCP Contract Skill Manual Proxy ACME Backup First Readme Compat SendVerdict SendTwo SendPostfix SendRelay \
  SendDead SendLimited SendLarge SendResend Large IdleWaiters Corpora Hidden PlainLoses PartsDisagree Crash Kill \
  WebhookCrash Submission Greedy RateLimits Bad Smuggling StrangeMail Mailpit Capture AgentMailWithSDK \
  ResendWithSDK ResendTwoServers Trusted Spoofed Loopback Wrong Greeting UTF8 LMTP Pipelining LogOf LogNames \
  SendToPostfix SendByPostfix BehindPostfix ResolverIsDead AuthorsAre
QUICK      := $(OWN_STORES)|^Test($(subst $(eval ) ,|,$(strip $(ONCE))))
SKIP       ?= $(OWN_STORES)
# "make postgres STORE=pooler" has PgBouncer before it.
STORE      ?= postgres

# The compiler takes a fifteenth less processor time where it collects garbage less often: 103 seconds in place of 107.
# What they build and start does not inherit that.
SPACIOUS  := env GOGC=400 GOMEMLIMIT=3GiB
PLAINLY   := -exec 'env -u GOGC -u GOMEMLIMIT'

BINARY    := $(CURDIR)/bin/mailkin
FUZZTIME  ?= 30s
CRASHES   ?= 200
STEADY    ?= 3600
RATE      ?= 300
MANY      ?= 1000000
STATICCHECK := go tool -modfile=tools/go.mod staticcheck
STAGE     := tools/stage.sh

.PHONY: help test quick setup fmt vet lint unit long blackbox postgres firefox python typescript runtimes scanners upgrade build bench \
  eval fuzz crash reviewcrash soak growth release image chart golangci workflows observability clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# The SDKs wait more than they compute, so they are tested side by side.
test: ## everything: set-up, gofmt, vet, staticcheck, tests with the race detector, long tests, black-box tests, SDKs
	@start=$$SECONDS; \
	for stage in setup fmt vet lint unit long blackbox; do $(MAKE) --no-print-directory $$stage; done; \
	$(MAKE) --no-print-directory -j 2 --output-sync=target python typescript; \
	$(MAKE) --no-print-directory postgres SKIP='$(QUICK)'; \
	printf '\n== all passed in %d s\n' $$((SECONDS - start))

# No race detector, no other stores, no other programs: what a change most often breaks, while somebody waits.
quick: fmt ## for daily work: gofmt, vet, and the tests that need neither root nor other programs
	@$(STAGE) "quick tests" tools/quick.sh

setup: ## install the programs that tests use (as root on Debian; elsewhere say what is missing)
	@$(STAGE) "set-up" tools/setup.sh

fmt: ## gofmt
	@$(STAGE) "gofmt" tools/gofmt.sh

vet: ## go vet
	@$(STAGE) "go vet" $(SPACIOUS) go vet ./...

lint: ## staticcheck, the version in tools/go.mod
	@$(STAGE) "staticcheck" $(SPACIOUS) $(STATICCHECK) ./...

# Begun first, so that no processor waits for one of them at the end.
LONGEST := ./internal/service ./internal/store/postgres ./internal/store/sqlite

# More than two processors can work on at a time, here and below: many tests wait, for leases, for programs, for the disk.
# Each program that the detector watches would sleep for a second before it ends.
unit: ## tests of the packages that do several things at once, with the race detector
	@CGO_ENABLED=1 GORACE=atexit_sleep_ms=10 $(STAGE) "tests with the race detector" \
	  $(SPACIOUS) go test $(PLAINLY) -race -short $(UNWATCHED) -vet=off -ldflags=-w -p 3 -shuffle=on -timeout 10m \
	  $(LONGEST) $$(tools/packages.sh concurrent)

# What one goroutine computes for long has no races, and the detector makes it take ten times as long: such tests are
# skipped when they are to be short.
long: ## the packages that only compute, and the tests that the stage before skipped
	@$(STAGE) "long tests" tools/long.sh

blackbox: build ## scenarios and crash tests on the real binary, built plainly
	@MAILKIN_TEST_BINARY=$(BINARY) $(STAGE) "black-box and crash tests" go test -count=1 -vet=off -parallel 6 -shuffle=on -timeout 10m ./test/...

postgres: build ## the same scenarios on PostgreSQL, with large messages in S3
	@MAILKIN_TEST_STORE=$(STORE) MAILKIN_TEST_BINARY=$(BINARY) $(STAGE) "black-box tests on PostgreSQL and S3" \
	  go test -count=1 -vet=off -parallel 6 -shuffle=on -timeout 12m -skip '$(SKIP)' ./test

firefox: build ## sign in, search, read and answer in Firefox, where Debian's firefox-esr is installed
	@MAILKIN_TEST_BINARY=$(BINARY) MAILKIN_TEST_FIREFOX=$${MAILKIN_TEST_FIREFOX:-firefox-esr} \
	  $(STAGE) "Firefox" go test -count=1 -vet=off -run '^TestFirefox$$' ./test/browser

python: build ## the Python SDK: types, wheel, and its tests against the real binary
	@MAILKIN_BINARY=$(BINARY) $(STAGE) "Python SDK" tools/python.sh

typescript: build ## the TypeScript SDK: types, packages, and its tests against the real binary
	@MAILKIN_BINARY=$(BINARY) $(STAGE) "TypeScript SDK" tools/typescript.sh

runtimes: build ## the TypeScript SDK in Bun and Deno and with Jest, which it installs in bin/runtimes
	@MAILKIN_BINARY=$(BINARY) $(STAGE) "TypeScript SDK in Bun, Deno and Jest" tools/runtimes.sh

scanners: build ## a real rspamd, from Debian, which is installed where it is missing (as root)
	@MAILKIN_TEST_BINARY=$(BINARY) $(STAGE) "rspamd" tools/scanners.sh

observability: build ## metrics, alert rules and dashboard with a real Prometheus, from Debian where there is none
	@MAILKIN_TEST_BINARY=$(BINARY) $(STAGE) "observability" tools/observability.sh

upgrade: build ## data of older versions, a program that is too old, and rolling upgrades of nodes under load
	@MAILKIN_TEST_BINARY=$(BINARY) $(STAGE) "upgrades" tools/upgrade.sh

build: ## bin/mailkin
	@$(STAGE) "build" $(SPACIOUS) go build -o $(BINARY) ./cmd/mailkin

bench: ## benchmarks of the packages
	@$(STAGE) "benchmarks" go test -run '^$$' -bench . -benchmem ./internal/...

eval: ## what the readers of mail reach on the sets of real mail in $$MAILKIN_CORPORA
	@tools/eval.sh

.PHONY: pictures
pictures: ## record "mailkin demo" as docs/pictures/demo.svg
	@$(STAGE) "pictures" go test ./cmd/mailkin -run TestDemoPicture -count 1 -update

fuzz: ## every fuzz target for FUZZTIME each (30s)
	@$(STAGE) "fuzz" tools/fuzz.sh $(FUZZTIME)

crash: build ## the crash test with CRASHES kills (200)
	@MAILKIN_TEST_BINARY=$(BINARY) MAILKIN_TEST_CRASHES=$(CRASHES) \
	  $(STAGE) "crash test, $(CRASHES) kills" go test -count=1 -v -run Crash -timeout 2h ./test/...

reviewcrash: build ## kill -9 between every two steps of hold, approve, deliver, CRASHES times (200)
	@MAILKIN_TEST_BINARY=$(BINARY) MAILKIN_TEST_CRASHES=$(CRASHES) \
	  $(STAGE) "crash test of reviews, $(CRASHES) kills" go test -count=1 -v -run '^TestCrashReviews$$' -timeout 1h ./test

soak: build ## mail comes and goes for STEADY seconds (3600): nothing may grow, and no read get slower
	@STEADY=$(STEADY) RATE=$(RATE) $(STAGE) "soak of $(STEADY) s" python3 tools/speed.py $(BINARY) soak

growth: build ## what each route costs with MANY (1000000) messages, and mailboxes, as times of 1,000
	@$(STAGE) "growth to $(MANY)" python3 tools/growth.py $(BINARY) 1000 $(MANY)

release: ## dist: binaries, packages, SBOMs, checksums of the commit; built twice, and equal
	@$(STAGE) "release" tools/release.sh $(PLATFORMS)

image: ## an image of the commit, by buildah: no daemon is needed
	@$(STAGE) "image" tools/image.sh $(IMAGES)

chart: ## the Helm chart: linted, rendered in every form, checked against the types of Kubernetes, packed into dist
	@$(STAGE) "chart" tools/chart.sh

golangci: ## golangci-lint, with the rules of .golangci.yml
	@$(STAGE) "golangci-lint" bash -c 'tools/install.sh golangci-lint && bin/golangci-lint run'

workflows: ## actionlint, for what GitHub runs
	@$(STAGE) "workflows" bash -c 'tools/install.sh actionlint && bin/actionlint'

clean: ## remove what was built
	@rm -rf bin dist
