# dpem: build, install and test.  `make help` lists the targets.

EXTENSION = dpem
MODULE_big = dpem
BLAS_LIBRARY = dpem_blas$(DLSUFFIX)
PGFILEDESC = "dpem - differentially private model fitting"
EXTVERSION := $(shell sed -n "s/^default_version *= *'\([^']*\)'.*/\1/p" dpem.control)

# ---- what is built ----------------------------------------------------------

# folders of what needs the server, each of which uses those before it (src/README.md)
ROOMS = server registry ledger scan scan/query wall answers fit export families families/* fdw api api/datasets api/selftest

CORE_OBJS := $(patsubst %.c,%.o,$(sort $(wildcard src/core/*/*.c)))
OBJS := $(patsubst %.c,%.o,$(sort $(wildcard src/*.c))) $(CORE_OBJS) \
	$(patsubst %.c,%.o,$(sort $(wildcard $(ROOMS:%=src/%/*.c))))

INSTALL_SCRIPT_SQL := $(EXTENSION)--$(EXTVERSION).sql
DATA_built = $(INSTALL_SCRIPT_SQL)
DATA = $(sort $(wildcard src/sql/upgrade/$(EXTENSION)--*--*.sql))

# One product per row must come out of the compiler as written: no contraction
# into fused multiply-adds, whose use would depend on the machine.
CORE_CFLAGS = -ffp-contract=off
KERNEL_CFLAGS = -O3 -fno-math-errno
KERNELS = block class_kernel deconvolution feature_store features nearby gam_cells gam_counts gam_estimate gam_kernel gam_places gam_posterior gmm_kernel kmeans_kernel lda_kernel logit_kernel margins moments_kernel projection sbn_infer sbn_kernel score_kernel synth_walk tables

WARNINGS = -Wall -Wextra -Wno-unused-parameter $(if $(DPEM_WERROR),-Werror)
BLAS_LIBS = -llapacke -lopenblas
BLAS_OBJS = src/blas/blas.o

# ---- PostgreSQL's build system ----------------------------------------------

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
SERVER_HEADER := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)/postgres.h

# The server's headers are system headers: warnings are about this project only.
PG_CPPFLAGS = -I$(srcdir)/src -isystem $(includedir_server)
# int counters up to lengthof() are the server's idiom.
PG_CFLAGS = $(WARNINGS) -Wno-sign-compare -MMD -MP
# Its own names are bound as it is linked, where linkers know how: else each process looks up thousands of them when it loads the library.
SHLIB_LINK = -lm -ldl $(if $(filter darwin,$(PORTNAME)),,-Wl,-Bsymbolic)
EXTRA_CLEAN = build $(OBJS:.o=.d) $(BLAS_OBJS) $(BLAS_OBJS:.o=.d) $(BLAS_LIBRARY) $(wildcard $(EXTENSION)--*.sql)

# no bitcode, hence no clang
override with_llvm = no

SQL_TESTS := $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
REGRESS := $(strip $(filter setup,$(SQL_TESTS)) $(filter-out setup,$(SQL_TESTS)))
REGRESS_OPTS = --inputdir=.
ISOLATION := $(patsubst test/isolation/specs/%.spec,%,$(sort $(wildcard test/isolation/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test/isolation --load-extension=$(EXTENSION)

# These targets need no installed server, or install what they need.
OWN_TARGETS = help check browser dist deb reference check-sanitized check-assert check-valgrind crash demo audit selftest unit unit-programs fuzz fuzz-programs bench bench-core bench-pass bench-clusters bench-paper bench-regression bench-factors bench-statistics bench-utility bench-utility-gam bench-gam bench-bayes bench-utility-gmm bench-utility-kmeans bench-utility-linreg bench-utility-topics bench-vips bench-vips-logit bench-vips-sbn bench-vips-topics bench-lda bench-ledger bench-answers bench-persons bench-synth bench-synth-tables bench-synth-wide bench-utility-describe bench-utility-wide bench-utility-quantiles bench-utility-ranking bench-regression-speed bench-utility-robust
ifneq ($(filter-out $(OWN_TARGETS),$(or $(MAKECMDGOALS),all)),)
ifneq ($(and $(wildcard $(PGXS)),$(wildcard $(SERVER_HEADER))),)
include $(PGXS)

$(OBJS) $(BLAS_OBJS): Makefile
$(CORE_OBJS): override CFLAGS += $(CORE_CFLAGS)
$(foreach k,$(KERNELS),$(filter %/$k.o,$(CORE_OBJS))): override CFLAGS += $(KERNEL_CFLAGS)
src/server/blas_library.o: override CPPFLAGS += -DDPEM_BLAS_LIBRARY='"$(BLAS_LIBRARY)"'
-include $(OBJS:.o=.d) $(BLAS_OBJS:.o=.d)

# BLAS and LAPACK are loaded where they are used: src/core/numeric/blas.h.
$(BLAS_LIBRARY): $(BLAS_OBJS)
	$(CC) $(CFLAGS) $(BLAS_OBJS) -shared -o $@ $(LDFLAGS) $(LDFLAGS_SL) $(BLAS_LIBS)

all: $(BLAS_LIBRARY)
install: install-blas
uninstall: uninstall-blas

install-blas: $(BLAS_LIBRARY) installdirs
	$(INSTALL_SHLIB) $(BLAS_LIBRARY) '$(DESTDIR)$(pkglibdir)/$(BLAS_LIBRARY)'

uninstall-blas:
	rm -f '$(DESTDIR)$(pkglibdir)/$(BLAS_LIBRARY)'
.PHONY: install-blas uninstall-blas

# the families' fragments stand between what they need and what needs them
SQL_FRAGMENTS := $(sort $(wildcard src/sql/[0-6]*.sql)) $(sort $(wildcard src/families/*/*.sql)) $(sort $(wildcard src/sql/[7-9]*.sql))

$(INSTALL_SCRIPT_SQL): $(SQL_FRAGMENTS) src/sql src/families dpem.control Makefile
	@echo "cat $(SQL_FRAGMENTS) > $@"
	@cat $(SQL_FRAGMENTS) > $@.tmp && mv $@.tmp $@

# Libraries that are wrong on purpose, for the tests of the tests: test/audit/saboteur.h.  They
# are never installed.
SABOTEURS := $(patsubst test/audit/%.c,build/audit/%/dpem.so,$(sort $(wildcard test/audit/*.c)))
saboteurs: $(SABOTEURS)

$(SABOTEURS): build/audit/%/dpem.so: test/audit/%.c test/audit/saboteur.h $(OBJS) Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Wno-missing-prototypes $(CPPFLAGS) -Itest/audit -fPIC -shared -o $@ $< $(OBJS) \
		$(shell sed -n 's/^__wrap_\([a-z0-9_]*\)[^a-z0-9_].*/-Wl,--wrap=\1/p' $<) $(LDFLAGS) $(SHLIB_LINK)
.PHONY: saboteurs

else
all install uninstall installcheck:
	@echo "dpem: '$(PG_CONFIG)' gives no PostgreSQL to build against: install postgresql-server-dev-15 (as root: scripts/deps.sh) or say make PG_CONFIG=/path/to/pg_config" >&2; exit 1

clean distclean:
	rm -rf $(MODULE_big).so $(OBJS) $(EXTRA_CLEAN)
.PHONY: all install uninstall installcheck clean distclean
endif
endif

# ---- everything in one command ----------------------------------------------

# Passed on as they were typed: a name may hold a dollar sign.  COLUMNS counts on the command line
# only, as a terminal's width may be in the environment.
$(foreach v,CSV BOUNDS K EPSILON,$(eval override export $(v) := $$(value $(v))))
export DEMO_COLUMNS := $(if $(filter command,$(origin COLUMNS)),$(value COLUMNS))
export CALLER_DIR := $(value PWD)

# PGXS has a `check` that only says it is not supported.
ifneq ($(filter check,$(MAKECMDGOALS)),)
check:
	@scripts/check.sh
endif

demo:
	@scripts/demo.sh

audit:
	@scripts/audit.sh

selftest:
	@scripts/cluster.sh psql -Xqf test/audit/selftest.sql

# pictures and the example dashboards in Chromium; needs what docs/testing.md lists
browser:
	@scripts/cluster.sh run test/browser/run.py build/browser

# ... with the extension, not the server, sanitized
check-sanitized:
	@DPEM_SANITIZE=undefined,float-cast-overflow DPEM_SUITES="$${DPEM_SUITES:-regress}" scripts/check.sh

# ... and a server built with assertions: PG_CONFIG_ASSERT, or one that is built first
check-assert:
	@scripts/assert.sh

# ... with the server under valgrind; TESTS: names of SQL tests
check-valgrind:
	@scripts/valgrind.sh $(TESTS)

# a suite of `check`, for longer
ROUNDS = 1000
crash:
	@DPEM_CRASH_ROUNDS=$(ROUNDS) DPEM_NOTES=1 DPEM_SUITES=tap DPEM_TESTS=crash_rounds DPEM_SUITE_TIMEOUT=14400 scripts/check.sh

reference:
	@scripts/reference.sh

dist:
	@scripts/package.sh zip

deb:
	@scripts/package.sh deb

help:
	@sed -n 's/^#: \{0,1\}//p' Makefile

# ---- tests of src/core without a server -------------------------------------

# SANITIZE=address,undefined builds the unit tests with sanitizers.
UNIT_CFLAGS = -O2 -g $(WARNINGS) -Wmissing-prototypes -Wpointer-arith -fno-strict-aliasing -fwrapv \
	-Isrc -Itest/unit -MMD -MP $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all)
UNIT_LIBS = $(BLAS_LIBS) -lpthread -lm
UNIT_DIR := build/$(if $(LIBFUZZER),libfuzzer,$(if $(SANITIZE),sanitize,plain))

UNIT_CORE := $(CORE_OBJS:src/core/%.o=$(UNIT_DIR)/core/%.o) $(UNIT_DIR)/blas/blas.o $(UNIT_DIR)/blas/linked.o
UNIT_TESTS := $(patsubst %.c,$(UNIT_DIR)/%,$(sort $(wildcard test/unit/test_*.c)))
UNIT_HELPERS := $(patsubst %.c,$(UNIT_DIR)/%.o,$(filter-out test/unit/test_%,$(wildcard test/unit/*.c)))
BENCHES := $(patsubst %.c,$(UNIT_DIR)/%,$(sort $(wildcard test/bench/*.c)))

# benchmarks only compile here, so that a change of what they measure is noticed
unit-programs: $(UNIT_TESTS) $(BENCHES)

unit: $(UNIT_TESTS)
	@scripts/unit.sh $^

bench-core: $(BENCHES)
	@for program in $^; do echo "== $${program##*/}"; "$$program" || exit 1; done

# Armadillo is a library of templates: what is compiled here is as fast as this machine lets it be.
$(UNIT_DIR)/test/bench/speed_armadillo: test/bench/speed_armadillo.cpp
	@mkdir -p $(@D)
	@$(CXX) -O3 -march=native -fopenmp -o $@ $< -larmadillo 2>$@.log || echo "bench: without Armadillo, see $@.log" >&2

bench: $(UNIT_DIR)/test/bench/bench_steps $(UNIT_DIR)/test/bench/speed_armadillo
	@DPEM_BENCHES=$(CURDIR)/$(UNIT_DIR)/test/bench scripts/cluster.sh run perl test/bench/speed.pl

bench-pass:
	@scripts/cluster.sh run perl test/bench/pass.pl

bench-clusters:
	@scripts/cluster.sh run perl test/bench/clusters.pl

bench-utility-kmeans:
	@scripts/cluster.sh run perl test/bench/utility_kmeans.pl

bench-utility-ranking:
	@scripts/cluster.sh run perl test/bench/utility_ranking.pl

bench-utility-topics:
	@scripts/cluster.sh run perl test/bench/utility_topics.pl

bench-paper:
	@scripts/cluster.sh run perl test/bench/paper.pl

bench-utility-gmm:
	@DPEM_FAMILY=gmm perl test/bench/utility.pl

bench-utility-describe:
	@scripts/cluster.sh run perl test/bench/utility_describe.pl

bench-utility-wide:
	@scripts/cluster.sh run perl test/bench/utility_wide.pl

bench-utility-quantiles:
	@scripts/cluster.sh run perl test/bench/utility_quantiles.pl

bench-utility-robust:
	@scripts/cluster.sh run perl test/bench/utility_robust.pl

bench-utility-gam:
	@scripts/cluster.sh run perl test/bench/utility_gam.pl

bench-gam: $(UNIT_DIR)/test/bench/bench_gam
	@DPEM_BENCHES=$(CURDIR)/$(UNIT_DIR)/test/bench perl test/bench/gam_tables.pl

bench-bayes: $(UNIT_DIR)/test/bench/bench_bayes
	@BENCH=bayes DPEM_BENCHES=$(CURDIR)/$(UNIT_DIR)/test/bench perl test/bench/gam_tables.pl

bench-regression:
	@scripts/cluster.sh run perl test/bench/regression.pl

bench-regression-speed:
	@scripts/cluster.sh run perl test/bench/speed_regression.pl

bench-utility-linreg:
	@scripts/cluster.sh run perl test/bench/utility_linreg.pl

bench-statistics:
	@scripts/cluster.sh run perl test/bench/statistics.pl

bench-persons:
	@scripts/cluster.sh psql -f $(CURDIR)/test/bench/persons.sql

bench-factors:
	@scripts/cluster.sh run perl test/bench/factors.pl

# every family's defaults beside the best simple thing
bench-utility:
	@perl test/bench/utility.pl

bench-vips: bench-vips-topics bench-vips-logit bench-vips-sbn

bench-vips-logit:
	@scripts/cluster.sh run perl test/bench/vips_logit.pl

bench-vips-sbn:
	@scripts/cluster.sh run perl test/bench/vips_sbn.pl

bench-vips-topics:
	@scripts/cluster.sh run perl test/bench/vips_topics.pl

bench-synth:
	@scripts/cluster.sh run perl test/bench/synth.pl
	@perl test/bench/synth_older.pl

bench-synth-wide:
	@scripts/cluster.sh run $(or $(PYTHON),python3) test/bench/synth_wide.py

bench-synth-tables: $(UNIT_DIR)/test/bench/bench_synth
	@DPEM_BENCHES=$(CURDIR)/$(UNIT_DIR)/test/bench perl test/bench/synth_tables.pl

bench-lda:
	@scripts/cluster.sh run perl test/bench/lda.pl

bench-ledger:
	@scripts/cluster.sh run perl test/bench/ledger.pl

bench-answers:
	@scripts/cluster.sh run perl test/bench/answers.pl

$(UNIT_CORE): $(UNIT_DIR)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) $(CORE_CFLAGS) $(if $(filter $(*F),$(KERNELS)),$(KERNEL_CFLAGS)) -c $< -o $@

$(UNIT_HELPERS): $(UNIT_DIR)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) $(CORE_CFLAGS) -c $< -o $@

$(UNIT_TESTS): $(UNIT_DIR)/%: %.c $(UNIT_CORE) $(UNIT_HELPERS) Makefile
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) $(CORE_CFLAGS) $< $(filter %.o,$^) -o $@ $(UNIT_LIBS)

$(BENCHES): $(UNIT_DIR)/%: %.c $(UNIT_CORE) Makefile
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) $(CORE_CFLAGS) $< $(filter %.o,$^) -o $@ $(UNIT_LIBS)

# ---- fuzz targets -----------------------------------------------------------

# Built as the unit tests are, with SANITIZE, on test/fuzz/driver.c, or with LIBFUZZER=1 and clang
# on libFuzzer.  What is in src/scan runs on test/fuzz/server_stub.c instead of a server.
FUZZERS := $(patsubst %.c,$(UNIT_DIR)/%,$(sort $(wildcard test/fuzz/fuzz_*.c)))
FUZZ_CFLAGS = $(UNIT_CFLAGS) -Itest/fuzz -D_GNU_SOURCE -isystem $(shell $(PG_CONFIG) --includedir-server)
FUZZ_MAIN = $(if $(LIBFUZZER),-fsanitize=fuzzer,test/fuzz/driver.c)
FUZZ_ENGINE = test/fuzz/server_stub.c src/scan/pass.c src/scan/raw_moments.c
RUNS ?= 200000
CALLS = 200000

fuzz-programs: $(FUZZERS)

fuzz:
	@$(MAKE) --no-print-directory CC=clang LIBFUZZER=1 SANITIZE=address,undefined,float-cast-overflow,fuzzer-no-link fuzz-programs
	@scripts/fuzz.sh build/libfuzzer/test/fuzz $(RUNS)
	@DPEM_FUZZ_CALLS=$(CALLS) DPEM_NOTES=1 DPEM_SUITES=tap DPEM_TESTS=008_fuzz DPEM_SUITE_TIMEOUT=14400 scripts/check.sh

$(FUZZERS): $(UNIT_DIR)/%: %.c $(UNIT_CORE) test/fuzz/driver.c $(wildcard test/fuzz/*.h) $(FUZZ_ENGINE) Makefile
	@mkdir -p $(@D)
	$(CC) $(FUZZ_CFLAGS) $(CORE_CFLAGS) $< $(if $(filter %/fuzz_wire,$@),$(FUZZ_ENGINE)) $(FUZZ_MAIN) \
		$(filter %.o,$^) -o $@ $(UNIT_LIBS)

-include $(FUZZERS:=.d) $(UNIT_CORE:.o=.d) $(UNIT_HELPERS:.o=.d) $(UNIT_TESTS:=.d) $(BENCHES:=.d)

.PHONY: $(OWN_TARGETS)

#: make                 build the extension
#: make install         install it into the server of pg_config
#: make installcheck    SQL and isolation tests against a running server
#: make check           everything: dependencies, build, unit, SQL, isolation and TAP tests,
#:                      in throw-away servers; writes nothing outside this tree and /tmp
#: make check-sanitized SQL tests with the extension under gcc's undefined sanitizer; DPEM_SUITES for others
#: make check-assert    SQL and isolation tests, crashes and malformed states in a server built with assertions: of PG_CONFIG_ASSERT, else
#:                      of the distribution's source, which takes two minutes once (build/assert); DPEM_SUITES, DPEM_TESTS for others
#: make check-valgrind  SQL tests in a server under valgrind; TESTS='moments fit' for others
#: make crash           kills and restarts a server at random moments of fits, ROUNDS=1000 times
#: make demo            the whole story on generated patients
#: make demo CSV=FILE   the same on your own .csv or .csv.gz; K=3 EPSILON=1 COLUMNS=a,b
#:                      BOUNDS='a=0:1,b=-5:5'
#: make browser         pictures, and the dashboards of examples/bi and examples/private from end to end, in Chromium; screenshots in build/browser
#: make audit           what an analyst can find out, against what is claimed (docs/audit.md); QUICK=1: a minute
#: make selftest        its part from inside: every case of dp_selftest, two minutes
#: make unit            unit tests of src/core; SANITIZE=address,undefined
#: make fuzz            libFuzzer on src/core and what reads bytes, RUNS=200000 inputs for each target, then
#:                      CALLS=200000 odd calls of SQL functions; needs clang
#: make bench           fits beside floors, scikit-learn, Armadillo and mlpack (docs/performance.md), as far as they are installed: a quarter of an hour, tables in build/bench/speed.md; QUICK=1: two minutes
#: make bench-core      micro-benchmarks of src/core
#: make bench-pass      one pass over a million rows beside plain aggregates, in a throw-away server
#: make bench-clusters  private k-means on real data (docs/clusters.md) into build/bench: half an hour; QUICK=1: a minute
#: make bench-paper     the papers' experiments (docs/paper.md) into build/bench: a quarter of an hour; QUICK=1: a minute
#: make bench-synth     marginals of a real table beside simple baselines, and the pass beside GROUPING SETS (docs/families/synth.md): some minutes
#: make bench-utility-wide quartiles and means of dp_describe, dp_quantiles and dp_avg in wide domains and in others: DPEM_RUNS=, EPSILONS=
#: make bench-synth-wide  rows that are made up beside the private ones, in ordinary and in wide domains: RUNS=5, EPSILONS=0.1,1,4, ROWS=, TABLES=regex
#: make bench-synth-tables  the same of eight unlike tables, without a server: SEEDS=3, EPSILONS=0.1,1,10, DPEM_DATASETS=regex
#: make bench-statistics what a statistic costs beyond its scan (docs/statistics.md): a minute
#: make bench-persons    fits over paths, and clips that are chosen privately (docs/persons.md): two minutes; PERSONS=10000: seconds
#: make bench-factors   factors and components against epsilon and rows (docs/factors.md) into build/bench/factors; QUICK=1: a minute
#: make bench-utility-kmeans  k-means beside PE-means and on a dozen unlike kinds of data; QUICK=1: two minutes
#: make bench-utility-topics  topics on many unlike corpora (docs/families/lda.md): half an hour; QUICK=1: some minutes
#: make bench-regression  regressions and classifiers on real data beside published baselines and scikit-learn, into build/bench/utility: ten minutes; QUICK=1: two minutes
#: make bench-regression-speed  linear regression and additive models of a large table beside export and scikit-learn, whole processes (docs/performance.md): five minutes; QUICK=1: one
#: make bench-utility-gam  additive models beside logistic regression and no noise, and a pass's time beside it (docs/families/gam.md): ten minutes; QUICK=1: two
#: make bench-gam        additive models of unlike tables beside shares alone and no noise, without a server: five minutes; SEEDS=9, EPSILONS=0.02,0.1,0.5,1,4, DPEM_DATASETS=regex, BINS=equal or apart
#: make bench-bayes      naive Bayes classifiers of the same tables, likewise: a minute
#: make bench-utility-linreg  linear regression beside AdaSSP and the mean (docs/families/linreg.md): ten minutes; QUICK=1: a minute
#: make bench-utility    all families' defaults on unlike data beside a simple baseline (docs/families) into build/bench/utility (CSV, SVG, tables): an hour or two; DPEM_FAMILY=gmm,sbn: these; DPEM_RUNS=10; DPEM_DATASETS=regex; QUICK=1: some minutes
#: make bench-vips       variational Bayes in private settings on real data (docs/vips.md)
#: make bench-vips-topics its part about topics, into build/bench/vips_topics: a quarter of an hour; QUICK=1: two minutes
#: make bench-vips-logit its part about logistic regression, into build/bench/vips_logit: half an hour; QUICK=1: three minutes
#: make bench-vips-sbn   its part about sigmoid belief networks, into build/bench/vips_sbn: some minutes; QUICK=1: a minute
#: make bench-lda        one epoch of topics over 100,000 documents beside scikit-learn's: ten minutes; QUICK=1: a minute
#: make bench-answers    what it takes to be given a kept answer, and a new one, of ANSWERS=100000 others: a minute
#: make bench-ledger     a call, plans and the views of the ledger after 100 and after CHARGES=100000 charges: two minutes
#: make reference       write docs/reference.md from the comments in the catalog
#: make dist            dpem-VERSION.zip of the last commit, for PGXN (docs/releasing.md)
#: make deb             Debian packages of the last commit; scripts/package.sh try: in a fresh system
#: make clean           remove what was built
#:
#: PG_CONFIG=/path/to/pg_config   another server
#: DPEM_WERROR=1                  a warning is an error
