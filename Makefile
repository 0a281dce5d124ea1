# The front door. Every target installs the Debian packages it needs, configures, builds and then does its job.
#   make demo      a guided first run
#   make gallery   the pages of docs/gallery in build/gallery; KEEP=1 takes their pictures again
#   make test      build with warnings as errors, run every test
#   make build     leave the program at build/espalier
#   make bench     measure
#   make sanitize  the tests again under AddressSanitizer and UndefinedBehaviorSanitizer
#   make fuzz      each reader under libFuzzer, FUZZ_SECONDS each (default 60)
#   make docs      the reference of the public headers, in build/docs/html
#   make install   to PREFIX (default /usr/local), below DESTDIR where it is given
#   make uninstall takes away what the last `make install` put there
#   make deb       Debian packages in build/deb: espalier, libespalier-dev, espalier-doc
PREFIX ?= /usr/local
RELEASE ?= build/release
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# $(call packages,kind ...): installs what is missing of these kinds; asks nothing, and is silent where nothing is missing.
define packages
@missing=$$(for p in $$(awk -v kinds=" $(1) " '!/^#/ && index(kinds, " " $$1 " ") {print $$2}' packages.txt); do \
    dpkg -s $$p 2>/dev/null | grep -q '^Status: install ok installed' || echo $$p; done); \
  if [ -n "$$missing" ]; then \
    echo "installing:" $$missing; \
    $(SUDO) apt-get update -qq && \
    $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing > /dev/null; \
  fi
endef

.PHONY: demo gallery test build bench sanitize fuzz docs install uninstall deb clean

build:
	$(call packages,build)
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	@ln -sf release/bin/espalier build/espalier

demo: build
	build/espalier demo -o build/demo

gallery: build
	$(call packages,gallery)
	$(if $(KEEP),$(call packages,browser))
	/usr/bin/python3 tools/gallery.py $(if $(KEEP),keep,build) build/espalier build/gallery

test:
	$(call packages,build test)
	-$(call packages,browser)
	cmake --preset dev
	cmake --build --preset dev -j $(JOBS)
	ctest --preset dev -j $(JOBS)

bench:
	$(call packages,build bench)
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	bench/run build/bench

sanitize:
	$(call packages,build test)
	cmake --preset sanitize
	cmake --build --preset sanitize -j $(JOBS)
	ctest --preset sanitize -j $(JOBS)

fuzz:
	$(call packages,build fuzz)
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	tests/fuzz/run build/fuzz $(FUZZ_SECONDS)

docs:
	$(call packages,docs)
	mkdir -p build/docs
	doxygen docs/Doxyfile
	@echo build/docs/html/index.html

# $(call as_owner,folder): sudo, where the folder, or the first one above it that is there, belongs to somebody else.
define as_owner
place="$(1)"; until [ -e "$$place" ]; do place=$$(dirname "$$place"); done; \
  if [ -w "$$place" ]; then as=; else as="$(SUDO)"; fi
endef

install: build
	@$(call as_owner,$(DESTDIR)$(PREFIX)); \
	  $$as env DESTDIR="$(DESTDIR)" cmake --install $(RELEASE) --prefix "$(PREFIX)"

uninstall:
	@test -f $(RELEASE)/installed_at.txt || { echo "nothing was installed from $(RELEASE)"; exit 2; }
	@$(call as_owner,$$(head -n 1 $(RELEASE)/installed_at.txt)); $$as cmake -D BUILD=$(RELEASE) -P cmake/uninstall.cmake

deb: build
	$(call packages,deb)
	rm -rf build/deb
	cd build/release && cpack -B ../deb > ../deb.log || { cat ../deb.log; exit 1; }
	rm -rf build/deb/_CPack_Packages build/deb.log
	@ls build/deb/*.deb

clean:
	rm -rf build
