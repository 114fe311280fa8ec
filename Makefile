# make demo: install what is missing, build, run the main job.   make check: build and pass the tests.
# Both leave the binary at build/bin/heddle.

BUILD ?= build
# Several files of a library at a time, since a build from nothing takes half as long; UNITY=OFF for work on the sources.
UNITY ?= ON
PACKAGE ?= $(BUILD)-package
JOBS ?= $(shell nproc)
OUT ?= heddle-out
GENERATOR ?= Ninja
CONFIG ?= gtx480
FORMAT ?= text
ROWS ?= reference
RUNS ?= 5
ACCEPT ?=
COUNT ?= 1000
ALLOCATIONS ?= 100
SWEEP_KILLS ?= 50
SEED ?= 1
MINUTES ?= 5
TARGETS ?=

.PHONY: demo check build test package fast bench fidelity verify pages ptx ptx-check pictures report-picture rtl-lint rtl-prove rtl-equal rtl-cost rtl-mutants rtl-lockstep sanitizer-build sanitize sanitize-threads sanitize-all fuzz machines machines-sanitize faults kills slurm-check format tidy packages clean help

help:
	@echo "make demo       install missing Debian packages, build, compare five warp schedulers on a divergent kernel"
	@echo "make check      build everything and run all tests"
	@echo "make package    a Debian package for any x86-64, in $(PACKAGE)"
	@echo "make fast       a program optimised by profiles: builds twice; what it gains: docs/performance.md"
	@echo "make bench      simulation speed per kernel against the accepted one (ACCEPT=1 accepts the new one)"
	@echo "make fidelity   the reference kernels side by side with what the reference machine reported"
	@echo "                (ROWS=kernels: those of workloads/kernels)"
	@echo "make verify     all workloads at their papers' sizes against their CPU references, without timing and under seven"
	@echo "                schedulers: hours; the same command goes on where it was stopped"
	@echo "make rtl-lockstep, rtl-mutants   the schedulers' SystemVerilog in step with the model on seven kernels, and its mutants"
	@echo "make pages      fill the generated tables of docs/papers-workloads.md"
	@echo "make ptx        rebuild the kernels' PTX from their CUDA sources with clang"
	@echo "make ptx-check  say whether the PTX in the repository differs from such a rebuild"
	@echo "make pictures   draw the pictures of docs/ from their texts (docs/pictures/*.dot)"
	@echo "make report-picture  the picture of README.md, from the report that make demo left"
	@echo "make rtl-lint, rtl-prove, rtl-equal, rtl-cost   the SystemVerilog twins (docs/rtl.md): Verilator's lint; properties, and"
	@echo "                netlists equal to them, proven at ENTRIES=8 (PROOFS='a regular expression'); netlists beside what the"
	@echo "                model asks (PARTS='...')"
	@echo "make sanitize   address and undefined-behaviour sanitizers on a reduced set of tests"
	@echo "make sanitize-threads   the thread sanitizer on whole runs of small kernels with --threads 3"
	@echo "make machines   COUNT=1000 random machines, workloads and schedulers from SEED=1 on: outputs, sums, and"
	@echo "                the same results however they are simulated; make machines-sanitize: under sanitizers"
	@echo "make faults     each call that writes, and every ALLOCATIONS=100th that takes memory, fails in turn"
	@echo "make kills      heddle is killed COUNT times (1000), sweeps of experiments SWEEP_KILLS times (50), and what"
	@echo "                is left is looked at"
	@echo "make slurm-check  installs Slurm and munge, and sweeps on a cluster of two nodes on this machine"
	@echo "make sanitize-all   the whole program and every test under the address, undefined-behaviour and thread sanitizers"
	@echo "make fuzz       made-up inputs for every reader, with sanitizers, for MINUTES=5 from SEED=1 on (0: a new one)"
	@echo "make format     clang-format in place;  make tidy: clang-tidy over all sources"
	@echo "make clean      removes the folders of builds"

packages:
	@cmake/install_packages.sh

build: packages
	@cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=OFF >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle

# A divergent kernel of four rounds of thread blocks on all 15 SMs. The waves are of SM 0 in the launch of a large
# frontier: some fifteen warps have an instruction, four could issue, and OAWS lets few of them.
DEMO_SCHEDULERS = gto,lrr,pro,ipaws,oaws_dynamic
DEMO_RECORDS = --interval 5000 --tb-log --vcd-window 80000:82000 --vcd-scope 'sm0.*'

demo: build
	$(BUILD)/bin/heddle compare bfs --param nodes=92160 --scheduler $(DEMO_SCHEDULERS) $(DEMO_RECORDS) --out $(OUT)/demo
	@$(BUILD)/bin/heddle report $(OUT)/demo
	@echo
	@echo "Written in $(OUT)/demo:"
	@echo "  report.html                     charts of all this, for a browser"
	@echo "  05-bfs-oaws_dynamic/waves.gtkw  SM 0 for 2,000 cycles, in which OAWS decides who may issue:"
	@echo "                                  gtkwave $(OUT)/demo/05-bfs-oaws_dynamic/waves.vcd $(OUT)/demo/05-bfs-oaws_dynamic/waves.gtkw"
	@echo "  01-bfs-gto/stats.json, ...      every counter of every run"
	@echo
	@echo "Next:"
	@echo "  $(BUILD)/bin/heddle help                    what else there is"
	@echo "  $(BUILD)/bin/heddle list workloads          kernels to compare on; docs/workloads.md: one of your own"
	@echo "  $(BUILD)/bin/heddle cost --scheduler pro    what a scheduler is built of"

# A test more at a time than there are processors: some wait for a queue or a browser.
check: packages
	@cmake/install_packages.sh chromium zsh groff-base python3-jsonschema python3-pandas verilator yosys z3 cadical opensta qflow-tech-osu018
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS)
	ctest --test-dir $(BUILD) --parallel $$(($(JOBS) + 1)) --output-on-failure

# For any x86-64: HEDDLE_ARCH is empty.
package:
	@cmake/install_packages.sh dpkg-dev file
	cmake -S . -B $(PACKAGE) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DHEDDLE_TESTS=OFF -DHEDDLE_ARCH=
	cmake --build $(PACKAGE) --parallel $(JOBS)
	cd $(PACKAGE) && cpack -G DEB

# Trained on the first cycles of the kernels whose speed is compared with the reference's.
TRAINING = vecadd:8000 poly:8000 scalarprod:8000 atax_row:80000

fast: packages
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=OFF -DHEDDLE_PROFILE=generate
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle
	find $(BUILD) -name '*.gcda' -delete
	for run in $(TRAINING); do \
	  $(BUILD)/bin/heddle run workloads/reference/$${run%%:*}.yaml --max-cycles $${run##*:} --quiet --out $(BUILD)/training \
	    || test $$? = 7 || exit 1; done  # 7: stopped by --max-cycles
	cmake -S . -B $(BUILD) -DHEDDLE_PROFILE=use
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle

bench: packages
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=OFF -DHEDDLE_BENCH=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle heddle_bench
	$(BUILD)/bin/heddle_bench --runs $(RUNS) $(if $(ACCEPT),--accept) $(BUILD)/bin/heddle .

fidelity: packages
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=OFF -DHEDDLE_FIDELITY=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle heddle_fidelity
	$(BUILD)/bin/heddle_fidelity $(BUILD)/bin/heddle . --config $(CONFIG) --format $(FORMAT) --rows $(ROWS)

verify: build
	@for workload in $(notdir $(patsubst %/,%,$(dir $(wildcard workloads/kernels/*/*.yaml)))); do \
	  test $$workload = micro || $(BUILD)/bin/heddle run $$workload --size paper --functional || exit 1; done
	$(BUILD)/bin/heddle sweep experiments/verification.yaml --db $(OUT)/verification.sqlite

# Every mutant of sc_tests/top/rtl/mutants.txt: in lock-step with the model, and what survives that, proven.
rtl-mutants: packages
	@cmake/install_packages.sh verilator yosys z3 cadical
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle test_top_rtl
	HEDDLE_RTL_MUTANTS=all $(BUILD)/bin/test_top_rtl --gtest_filter='Mutants.*'

# The table of docs/rtl-lockstep.md.
rtl-lockstep: build
	@cmake/install_packages.sh verilator
	@rtl/lockstep_table.sh $(BUILD)/bin/heddle
	@rtl/dispatch_table.sh $(BUILD)/bin/heddle

pages: build
	docs/fill_tables.sh $(BUILD)/bin/heddle docs/papers-workloads.md

ptx:
	@workloads/kernels/build_ptx.sh

ptx-check:
	@workloads/kernels/build_ptx.sh --check

pictures:
	@cmake/install_packages.sh graphviz fonts-dejavu-core
	for picture in docs/pictures/*.dot; do dot -Tsvg $$picture -o $${picture%.dot}.svg || exit 1; done

# The top of the page, down to the issue slots.
report-picture:
	@cmake/install_packages.sh chromium fonts-dejavu-core
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1200,1018 \
	  --screenshot=docs/pictures/report.png file://$(abspath $(OUT))/demo/report.html

# The SystemVerilog twins of the parts. Each part alone is linted, at its default sizes; the tests do so at theirs.
ENTRIES ?= 8
PROOFS ?= .
PARTS ?= .
TWINS = $(notdir $(basename $(wildcard rtl/parts/*/*.sv rtl/schedulers/*.sv rtl/schedulers/*/*.sv rtl/dispatch/*.sv rtl/dispatch/*/*.sv)))

rtl-lint:
	@cmake/install_packages.sh verilator
	rtl/make_lists.sh --check
	@set -e; for twin in $(TWINS); do \
	  verilator --lint-only -Wall --top-module $$twin rtl/parts/parts.vlt $$(sed -nE 's/^(parts|schedulers|dispatch) /rtl\//p' rtl/files.txt); done
	@echo "$(words $(TWINS)) modules: no warning"

rtl-prove:
	@cmake/install_packages.sh yosys z3 cadical
	rtl/prove.sh $(ENTRIES) '$(PROOFS)'

rtl-equal:
	@cmake/install_packages.sh yosys qflow-tech-osu018
	rtl/equivalence.sh $(ENTRIES) '$(PROOFS)'

rtl-cost: packages
	@cmake/install_packages.sh yosys opensta qflow-tech-osu018
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle heddle_rtl_estimates
	rtl/synthesis/parts.sh $(BUILD)/bin/heddle_rtl_estimates '$(PARTS)'
	@echo
	rtl/synthesis/schedulers.sh $(BUILD)/bin/heddle
	@echo
	rtl/synthesis/dispatch.sh $(BUILD)/bin/heddle

# One build with clang's sanitizers serves `sanitize` and `fuzz`. Heddle is a part of the examples' project there, so that
# it serves the examples too.
SANITIZER_BUILD = $(BUILD)-sanitize

sanitizer-build: packages
	@cmake/install_packages.sh clang libclang-rt-dev
	cmake -S examples -B $(SANITIZER_BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
	  -DHEDDLE_SOURCE=$(CURDIR) -DHEDDLE_PROGRAM=ON -DHEDDLE_TESTS=ON -DHEDDLE_FUZZ=ON -DHEDDLE_WERROR=OFF \
	  -DHEDDLE_SANITIZE=address,undefined,fuzzer-no-link

# A reduced set, to keep CI short: the kept inputs of the fuzz targets, the memory path, the front ends, and whole runs
# of small kernels.
SANITIZED_TESTS = fuzz tlm modules_l1d modules_mshr modules_ldst_unit modules_memory_partition workloads workloads_ptx
SANITIZED_RUNS = vector_add:n=4096 bfs:nodes=1024 histogram:words=8192 scalar_product:pairs=4
EXAMPLES = $(notdir $(patsubst %/,%,$(dir $(wildcard examples/*/CMakeLists.txt))))

sanitize: sanitizer-build
	cmake --build $(SANITIZER_BUILD) --parallel $(JOBS) --target heddle $(SANITIZED_TESTS:%=test_%) $(EXAMPLES)
	ctest --test-dir $(SANITIZER_BUILD) --parallel $(JOBS) --output-on-failure --exclude-regex NOT_BUILT
	@set -e; for run in $(SANITIZED_RUNS); do \
	  echo "$(SANITIZER_BUILD)/heddle/bin/heddle run $${run%%:*} --param $${run##*:}"; \
	  $(SANITIZER_BUILD)/heddle/bin/heddle run $${run%%:*} --param $${run##*:} --quiet --out $(SANITIZER_BUILD)/out; done

THREADED_RUNS = bfs:nodes=4096 histogram:words=16384 hotspot:n=64 scalar_product:pairs=64

sanitize-threads: packages
	cmake -S . -B $(BUILD)-threads -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DHEDDLE_TESTS=OFF -DHEDDLE_SANITIZE=thread
	cmake --build $(BUILD)-threads --parallel $(JOBS) --target heddle
	@set -e; for scheduler in gto ipaws; do for run in $(THREADED_RUNS); do \
	  echo "$(BUILD)-threads/bin/heddle run $${run%%:*} --param $${run##*:} --scheduler $$scheduler --threads 3 --oversubscribe"; \
	  $(BUILD)-threads/bin/heddle run $${run%%:*} --param $${run##*:} --scheduler $$scheduler --threads 3 --oversubscribe --quiet --out $(BUILD)-threads/out; done; done
	$(BUILD)-threads/bin/heddle run scalar_product black_scholes --set tb_dispatcher.mixed_sms=true --tb-log --threads 3 --oversubscribe --quiet --out $(BUILD)-threads/out

# $(1): a build's folder of programs.
run_machines = seq 0 $$(($(JOBS) - 1)) | HEDDLE_MACHINES=$(COUNT) HEDDLE_MACHINES_SEED=$(SEED) GTEST_TOTAL_SHARDS=$(JOBS) \
	  xargs -P $(JOBS) -I {} env GTEST_SHARD_INDEX={} $(1)/test_top_machines --gtest_brief=1 --gtest_filter='*RandomMachines*'

machines: packages
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle test_top_machines
	$(call run_machines,$(BUILD)/bin)

machines-sanitize: sanitizer-build
	cmake --build $(SANITIZER_BUILD) --parallel $(JOBS) --target heddle test_top_machines
	$(call run_machines,$(SANITIZER_BUILD)/heddle/bin)

# What the tests of sc_tests/faults do a few times.
faults kills: packages
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target test_faults
	$(if $(filter $@,faults),HEDDLE_FAULT_STRIDE=1 HEDDLE_ALLOCATION_STRIDE=$(ALLOCATIONS) $(BUILD)/bin/test_faults --gtest_filter='FailingCalls.*')
	$(if $(filter $@,kills),HEDDLE_KILLS=$(COUNT) HEDDLE_SWEEP_KILLS=$(SWEEP_KILLS) HEDDLE_KILLS_SEED=$(SEED) $(BUILD)/bin/test_faults --gtest_filter='*Kills.*')

# Sweeps as jobs of a real Slurm, which the tests start on this machine; make check skips them.
SLURM_KILLS ?= 50

slurm-check: packages
	@cmake/install_packages.sh slurmctld slurmd slurm-client munge procps
	cmake -S . -B $(BUILD) -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target heddle test_slurm
	HEDDLE_SLURM_KILLS=$(SLURM_KILLS) HEDDLE_KILLS_SEED=$(SEED) $(BUILD)/bin/test_slurm

# The whole test set under each. Tests take several times as long there.
sanitize-all: sanitizer-build
	cmake --build $(SANITIZER_BUILD) --parallel $(JOBS) --target heddle/all $(EXAMPLES)
	ctest --test-dir $(SANITIZER_BUILD) --parallel $(JOBS) --output-on-failure
	cmake -S . -B $(BUILD)-sanitize-thread -G $(GENERATOR) -DHEDDLE_UNITY=$(UNITY) -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
	  -DHEDDLE_TESTS=ON -DHEDDLE_SANITIZE=thread
	cmake --build $(BUILD)-sanitize-thread --parallel $(JOBS)
	ctest --test-dir $(BUILD)-sanitize-thread --parallel $(JOBS) --output-on-failure

fuzz: sanitizer-build
	cmake --build $(SANITIZER_BUILD) --parallel $(JOBS) --target heddle_fuzz
	sc_tests/fuzz/campaign.sh $(SANITIZER_BUILD)/heddle/bin/heddle_fuzz $(BUILD)-fuzz $(MINUTES) $(SEED) $(JOBS) $(TARGETS)

format:
	git ls-files '*.cpp' '*.h' | xargs clang-format -i

# Without link-time optimisation, whose flags clang does not know. What examples get from the installed library's files
# they get here by a flag.
tidy: packages
	cmake -S . -B $(BUILD)-tidy -G $(GENERATOR) -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON -DHEDDLE_LTO=OFF
	git ls-files '*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy -p $(BUILD)-tidy --quiet --extra-arg='-DHEDDLE_DATA_DIR=""'

clean:
	rm -rf $(BUILD) $(BUILD)-sanitize $(BUILD)-sanitize-thread $(BUILD)-threads $(BUILD)-fuzz $(BUILD)-tidy $(PACKAGE)
