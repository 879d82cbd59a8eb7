# linkcheck: see README.md. `make test` is what CI runs.
SHELL := /bin/bash
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOTESTSUM := gotest.tools/gotestsum@v1.13.0
PKGS := ./...
FUZZTIME ?= 60s
ROUNDS ?= 5
SIZE ?= full
# Many packages wait for servers of their own and for the disk: twice as many at a time as there are cores.
# No result is used again (-count=1): the go command does not see what servers, browser and other programs have changed.
TEST := go run $(GOTESTSUM) --format pkgname -- -p $$((2 * $$(nproc))) -count=1 -timeout 60m

.PHONY: build test quick deps lint vuln full race fuzz fuzz-short chaos bench bench-peers demo sample pictures site goldens dist packages-test notices clean

build:            ## the program and the engine of a fleet, in bin/
	CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/linkcheck ./cmd/linkcheck-engine

test: deps lint vuln full race fuzz-short  ## everything: real servers and a browser too, where they can be installed

quick:            ## the tests that need nothing but Go
	go vet $(PKGS)
	go test $(PKGS)

deps:             ## install the real servers and the browser that tests talk to (root on Debian; says what it leaves out elsewhere)
	./scripts/deps.sh

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$out" ] || { echo "gofmt would change:"; echo "$$out"; exit 1; }
	go vet $(PKGS)
	go run $(STATICCHECK) $(PKGS)
	go mod tidy -diff

vuln:             ## known faults of dependencies that the program reaches, where the database can be had
	scripts/govulncheck.sh $(PKGS)

full:             ## every test; those that were skipped are named at the end, with the reason
	$(TEST) $(PKGS)

# What only starts other programs, and packages that start no goroutine (TestRaceLeavesOut): what uses these
# side by side is not left out.
NO_RACE := /interop /browser /harvest$$ /harvest/records /harvest/webpage /extract/archive /extract/catalog /extract/mail /extract/marked /extract/office /extract/page /extract/pdf /extract/textscan /internal/markup /scripts/measure /uri/secret

# lint has vetted.
race:             ## with the race detector: all but the longest, and what it can see nothing in
	$(TEST) -race -short -vet=off $$(go list $(PKGS) | grep -v $(NO_RACE:%=-e '%'))

fuzz:             ## each fuzz target for FUZZTIME, going on from what earlier runs found
	FUZZCACHE=1 scripts/fuzz.sh $(FUZZTIME)

fuzz-short:       ## each for two seconds, from the seeds that are kept
	scripts/fuzz.sh 2s

chaos:            ## workers, engines and networks of a fleet that end and come back, ROUNDS times
	LINKCHECK_CHAOS=1 go test -count=$(ROUNDS) -timeout 6h -run 'Chaos|Processes|ThreeServers|Accidents' -v ./fleet | grep -v '^=== '

bench:            ## figures, each beside its reference in the same run, and where they were taken
	@echo "$$(go version), $$(nproc) cores, $$(uname -sm), $$(date -u +%F)"
	go test -run '^$$' -bench . -benchmem $(PKGS)

bench-peers: build ## the same work with linkcheck and with others, into docs/BENCHMARKS.md (SIZE=small: a quick pass; root on Debian)
	scripts/benchpeers/install.sh bin/peers
	go run ./scripts/benchpeers -size $(SIZE) -linkcheck bin/linkcheck -peers bin/peers -out docs

demo: build       ## the whole program at work, offline
	bin/linkcheck demo

sample:           ## a sample report of an invented library in every form, in bin/sample
	mkdir -p bin/sample
	LINKCHECK_SAMPLE=$(CURDIR)/bin/sample go test -count=1 -run '^TestSample$$' ./report

pictures:         ## pictures of the sample report, in bin/pictures; those that docs/ shows go there (needs Chromium)
	mkdir -p bin/pictures
	LINKCHECK_PICTURES=$(CURDIR)/bin/pictures go test -count=1 -run 'TestPictures|TestServeAccessible' ./report/browser
	cp bin/pictures/link.png bin/pictures/decide.png docs/

site: build       ## the documentation as plain pages, in bin/site, with the reference of this program
	rm -rf bin/site bin/reference
	bin/linkcheck man --reference bin/reference
	go run ./scripts/site bin/site docs SECURITY.md CONTRIBUTING.md CHANGELOG.md bin/reference

goldens: build    ## what the program does, recorded in bin/goldens: two records of one program are equal
	rm -rf bin/goldens
	scripts/goldens.sh bin/linkcheck bin/goldens

dist:             ## a release in dist/: binaries, .deb, .rpm, container, bill of materials, sums (VERSION=1.2.3)
	scripts/dist.sh dist

packages-test:    ## install, upgrade, remove and purge the .deb in a folder of its own; same octets twice (root on Debian)
	scripts/packages_test.sh

notices:          ## write THIRD_PARTY_NOTICES anew
	go run ./scripts/modules notices > notices.tmp && mv notices.tmp THIRD_PARTY_NOTICES

clean:
	rm -rf bin dist
