# SPDX-License-Identifier: Apache-2.0
# make            the verifier, build/heddle, and beside it the C front end and the library models
# make check      unit tests and script tests           make asan    the same, with the sanitizers
# make clang      build with clang, warnings are errors make fuzz    random programs (FUZZ_N of them)
# make install    PREFIX (default /usr/local), DESTDIR  make library  libheddle: heddle.h for other programs

LLVM     ?= 19
PREFIX   ?= /usr/local
BUILD    ?= build
CC       := gcc
CLANG    := clang-$(LLVM)
OPTIMIZE ?= -O2
FUZZ_N   ?= 200
SEED     ?= 1

# Asked only when something is to be built: an up-to-date make runs none of them.
lazy = $(eval $(1) := $(2))$($(1))
LLVM_CFLAGS = $(call lazy,LLVM_CFLAGS,$(filter -I% -D%,$(shell llvm-config-$(LLVM) --cflags)))
LLVM_LIBS   = $(call lazy,LLVM_LIBS,$(shell llvm-config-$(LLVM) --ldflags --libs))
JSON_CFLAGS = $(call lazy,JSON_CFLAGS,$(shell pkg-config --cflags jansson))
JSON_LIBS   = $(call lazy,JSON_LIBS,$(shell pkg-config --libs jansson))

WARNINGS := -Wall -Wextra -Wshadow -Wconversion
CFLAGS   := -std=gnu11 $(OPTIMIZE) -g $(WARNINGS) $(EXTRA)
CPPFLAGS  = -Isrc -D_GNU_SOURCE
LIBS      = $(JSON_LIBS) -lyaml -lz3 -lm

sources    := $(filter-out src/front/model/% src/native/runtime/% src/run/% src/cc/%,$(shell find src -name '*.c' | LC_ALL=C sort))
c_front    := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out src/front/load.c src/front/load_program.c src/front/clang.c,$(sort $(wildcard src/front/*.c src/native/instrument.c))))
objects    := $(filter-out $(c_front),$(sources:src/%.c=$(BUILD)/obj/%.o))
library    := $(filter-out $(BUILD)/obj/main.o,$(objects))
models     := $(sort $(wildcard src/front/model/*.c))
unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/*.c)))

.PHONY: all unit check check-native quick asan asan-build clang install clean corpus manual roundtrip broken broken-claims determinism format lint tidy test-html test-witness test-slurm library
.PHONY: tamper certificates fuzz fuzz-front fuzz-engines fuzz-native fuzz-passes fuzz-oracle fuzz-properties fuzz-ends fuzz-weak fuzz-omissions
.PHONY: bench bench-redcomp bench-termination bench-impact bench-weave bench-races bench-threader bench-mutants bench-weak
.DELETE_ON_ERROR:
.SECONDARY:

# Every file is written whole, under another name first: a build that was killed leaves no part of one that looks finished, and two
# builds at once do not write into each other's files. $(new) is that name, $(list) that of the list of prerequisites; $(keep) gives the right ones.
new  = $@.$$$$.new
list = $@.$$$$.list
keep = mv -f $(new) $@
keep_listed = mv -f $(list) $(1) && $(keep)

all: $(BUILD)/heddle $(BUILD)/heddle-cc $(BUILD)/heddle-c++ $(BUILD)/libheddle-run.a $(BUILD)/heddle-c.so $(BUILD)/model-LP64.bc $(BUILD)/model-ILP32.bc

# ---- the verifier ----
$(BUILD)/heddle: $(objects)
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) -rdynamic -o $(new) $(objects) $(LIBS) && $(keep)

# The C front end, with LLVM: opened when there is C to read; what it uses of the rest it finds in the program.
$(BUILD)/heddle-c.so: $(c_front)
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) -shared -o $(new) $(c_front) $(LLVM_LIBS) && $(keep)

$(c_front): CPPFLAGS += $(LLVM_CFLAGS)
$(c_front): CFLAGS += -fPIC -fvisibility=hidden
$(BUILD)/obj/output/%.o $(BUILD)/obj/app/%.o $(BUILD)/obj/witness/%.o: CPPFLAGS += $(JSON_CFLAGS)

# The parts of the page of --html are put into the program as they are.
$(BUILD)/obj/output/page.o $(BUILD)/obj/app/suite_table.o: $(wildcard src/output/page/*)
$(BUILD)/obj/app/message_list.o: $(wildcard src/*/messages.def)
$(BUILD)/obj/native/files.o: $(wildcard src/native/runtime/*)

$(BUILD)/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MT $@ -MF $(list) -c -o $(new) $< && $(call keep_listed,$(@:.o=.d))

# ---- the library models: bitcode, once per data model ----
MODEL_FLAGS := -x c -std=gnu11 -O0 -g -Xclang -disable-O0-optnone -fno-discard-value-names -ffreestanding -fno-builtin \
	-Wall -Wextra -Wno-unused-parameter
flags-LP64  := -m64
flags-ILP32 := -m32

define model_rules
$(BUILD)/model/$(1)/%.bc: src/front/model/%.c Makefile
	@mkdir -p $$(@D)
	@echo "  MODEL $$< ($(1))"
	@$$(CLANG) $$(MODEL_FLAGS) $(flags-$(1)) -MMD -MP -MT $$@ -MF $$(list) -emit-llvm -c -o $$(new) $$< && $$(call keep_listed,$$(@:.bc=.d))

$(BUILD)/model-$(1).bc: $(models:src/front/model/%.c=$(BUILD)/model/$(1)/%.bc)
	@mkdir -p $$(@D)
	@echo "  LINK  $$@"
	@llvm-link-$(LLVM) -o $$(new) $$^ && $$(keep)
endef
$(foreach m,LP64 ILP32,$(eval $(call model_rules,$(m))))

# ---- heddle run: the compiler driver, and the runtime that it links into programs ----
$(BUILD)/heddle-cc: $(BUILD)/obj/cc/main.o $(filter $(BUILD)/obj/base/%,$(objects))
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) -o $(new) $^ -lm && $(keep)

$(BUILD)/heddle-c++: $(BUILD)/heddle-cc
	@ln -sf heddle-cc $@

# The runtime is one object, whose names are local but for what it exports: programs may have the same names. It is never sanitized.
RUN_FLAGS := -std=gnu11 -O2 -g $(WARNINGS) -fPIC -fvisibility=hidden -fno-builtin -fno-stack-protector
runtime := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(sort $(wildcard src/run/*.c)))
$(runtime): $(BUILD)/obj/run/%.o: src/run/%.c Makefile
	@mkdir -p $(@D)
	@echo "  RUN   $<"
	@$(CC) $(CPPFLAGS) $(RUN_FLAGS) -MMD -MP -MT $@ -MF $(list) -c -o $(new) $< && $(call keep_listed,$(@:.o=.d))

# Wrappers of functions of the C library, from a table.
$(BUILD)/obj/run/effects_table.c: src/run/effects.tsv tools/effects.awk src/run/effects.h
	@mkdir -p $(@D)
	@awk -F '\t' -f tools/effects.awk src/run/effects.tsv >$(new) && $(keep)

$(BUILD)/obj/run/effects_table.o: $(BUILD)/obj/run/effects_table.c Makefile
	@echo "  RUN   src/run/effects.tsv"
	@$(CC) $(CPPFLAGS) $(RUN_FLAGS) -Wno-builtin-declaration-mismatch -c -o $(new) $< && $(keep)

$(BUILD)/libheddle-run.a: $(runtime) $(BUILD)/obj/run/effects_table.o
	@echo "  LINK  $@"
	@mkdir -p $(new).d && ld -r -o $(new).d/run.o $^ && objcopy --localize-hidden --strip-debug $(new).d/run.o \
		&& ar rcs $(new) $(new).d/run.o && rm -r $(new).d && $(keep)

# ---- unit tests: one program for each file, linked with everything but main ----
$(BUILD)/libheddle.a: $(library)
	@ar rcs $(new) $(library) && $(keep)

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libheddle.a Makefile
	@mkdir -p $(@D)
	@echo "  TEST  $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MT $@ -MF $(list) -o $(new) $< $(BUILD)/libheddle.a $(LIBS) -lcmocka && $(call keep_listed,$@.d)

# ---- tools of tests: random programs for two engines; one pass over a system; proofs; native outcomes ----
fuzz_tools := $(addprefix $(BUILD)/fuzz/,compare system_pass proofs outcomes)
$(BUILD)/fuzz/outcomes: tests/fuzz/native/outcomes.c
$(BUILD)/fuzz/compare $(BUILD)/fuzz/system_pass $(BUILD)/fuzz/proofs: $(BUILD)/fuzz/%: tests/fuzz/%.c
$(fuzz_tools): $(BUILD)/libheddle.a Makefile
	@mkdir -p $(@D)
	@echo "  FUZZ  $@"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MT $@ -MF $(list) -o $(new) $(filter %.c,$^) $(BUILD)/libheddle.a $(LIBS) && $(call keep_listed,$@.d)

# ---- native runs, and the interpreter, of random C programs. The former keeps its own stacks: no sanitizers ----
native := tests/fuzz/native
$(BUILD)/fuzz/native: $(native)/instrument.c $(native)/runtime.c $(native)/explore.c $(native)/native.h Makefile
	@mkdir -p $(@D)
	@echo "  FUZZ  $@"
	@$(CC) -std=gnu11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(LLVM_CFLAGS) -o $(new) $(filter %.c,$^) $(LLVM_LIBS) && $(keep)

unit: $(unit_tests) $(fuzz_tools) $(BUILD)/fuzz/native

# ---- tests ----
check: all unit
	@tests/run --build $(BUILD)

# Pages of --html for the examples, opened in chromium, if there is one. SHOTS=dir keeps pictures.
test-html: all
	@mkdir -p $(BUILD)/pages
	@for f in examples/*.c examples/*.wvr; do $(BUILD)/heddle -q --html $(BUILD)/pages/$$(basename $$f).html $$f >/dev/null; done
	@$(BUILD)/heddle -q -p unreach-call --html $(BUILD)/pages/long.c.html tests/html/long.c >/dev/null || true
	@$(BUILD)/heddle -q -p unreach-call --memory-model tso --html $(BUILD)/pages/tso.c.html tests/c/weak/c11_store_buffering.c >/dev/null || true
	@$(BUILD)/heddle -q -p termination --html $(BUILD)/pages/endless.c.html tests/c/termination/termination_fair_atomic.c >/dev/null || true
	@$(BUILD)/heddle -q -p unreach-call -e explicit --html $(BUILD)/pages/unknown.c.html tests/c/engines/redcomp/extern_value_matters.c >/dev/null || true
	@tests/html/check --browser $(if $(SHOTS),--shot $(SHOTS)) $(BUILD)/pages/*.html

# Witnesses of the examples, and of TASKS=dir (with an index.tsv), are confirmed; broken ones are refused.
test-witness: all
	@tests/witness/check --build $(BUILD) $(if $(TASKS),--tasks $(TASKS))

# --suite --slurm on a cluster of two nodes on this machine, if Slurm is there.
test-slurm: all
	@tests/slurm/check --build $(BUILD)

# Schedules of the real program do not contradict SAFE: all SAFE programs of tests/c and the examples.
confirm: all
	@tests/confirm --build $(BUILD)

# The text of a program has its verdict: all of tests/c (or WORDS), for five properties.
roundtrip: all
	@tests/roundtrip.py --build $(BUILD) $(WORDS)

# Each pass is broken on purpose, one at a time (or PASSES): which tests notice? PASSES=--resume goes on where a run was stopped.
broken:
	@tests/broken/run $(PASSES)

# Each kind of omission is claimed too often, one at a time (or KIND): which tests and mutants notice?
broken-claims:
	@tests/broken/run --claims $(KIND)

# Passes make the same on a busy machine: FILES, or programs of the tests.
determinism: all
	@tests/determinism --build $(BUILD) $(FILES)

quick: all unit
	@tests/run --build $(BUILD) --quick

ASAN := BUILD=build-asan EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" OPTIMIZE=-O1
asan: asan-build
	@tests/run --build build-asan

asan-build:
	@+$(MAKE) --no-print-directory $(ASAN) all unit

clang:
	@+$(MAKE) --no-print-directory BUILD=build-clang CC=$(CLANG) EXTRA=-Werror all unit

# ---- random programs ----
fuzz-front: all
	@tests/fuzz/csmith.sh --build $(BUILD) $(FUZZ_N) $(SEED)

fuzz-engines: all $(BUILD)/fuzz/compare
	@for e in redcomp impact weave threader explicit; do $(BUILD)/fuzz/compare --engine $$e $(FUZZ_N) $(SEED) || exit 1; done
	@$(BUILD)/fuzz/compare --attack yes $(FUZZ_N) $(SEED)
	@for e in redcomp impact weave threader; do tests/fuzz/threads --build $(BUILD) --engine $$e $(FUZZ_N) $(SEED) || exit 1; done
	@for r in product redsafety modular reachenv; do tests/fuzz/threads --build $(BUILD) --rule $$r $(FUZZ_N) $(SEED) || exit 1; done
	@tests/fuzz/wvr --build $(BUILD) $(FUZZ_N) $(SEED)

fuzz-native: all $(BUILD)/fuzz/native $(BUILD)/fuzz/outcomes
	@$(native)/compare --build $(BUILD) $(if $(KEEP),--keep $(KEEP)) $(FUZZ_N) $(SEED)

# What passes make of random programs and systems, by interpreters of programs and systems; the rules of expressions and ranges, by enumeration.
fuzz-passes: unit
	@ROUNDS=$(FUZZ_N) SEED=$(SEED) $(BUILD)/unit/passes_random_test
	@ROUNDS=$(FUZZ_N)0 SEED=$(SEED) $(BUILD)/unit/inline_random_test
	@ROUNDS=$(FUZZ_N) SEED=$(SEED) $(BUILD)/unit/system_passes_random_test
	@ROUNDS=$(FUZZ_N) SEED=$(SEED) $(BUILD)/unit/ir_clean_random_test
	@ROUNDS=$(FUZZ_N) SEED=$(SEED) $(BUILD)/unit/expr_random_test
	@ROUNDS=$(FUZZ_N) SEED=$(SEED) $(BUILD)/unit/integers_test
	@ROUNDS=$(FUZZ_N) SEED=$(SEED) $(BUILD)/unit/horn_tree_test
	@ROUNDS=$(FUZZ_N)0 SEED=$(SEED) $(BUILD)/unit/inputs_random_test

# … whose truth is known without Heddle.
fuzz-weak: all unit
	@python3 tests/fuzz/weak/compare.py $(BUILD)/heddle $(FUZZ_N) $(SEED)
	@python3 tests/fuzz/weak/compare.py --graphs $(BUILD)/heddle $(FUZZ_N) $(SEED)
	@ROUNDS=$(FUZZ_N)0 SEED=$(SEED) $(BUILD)/unit/weak_random_test
	@tests/fuzz/weak/broken --build $(BUILD)

fuzz-oracle: all
	@for k in threads many integers offsets inputs floats; do tests/fuzz/oracle --build $(BUILD) $$k $(FUZZ_N) $(SEED) || exit 1; done

# All properties of random programs with threads; 3,000 of them unless FUZZ_N says otherwise.
fuzz-properties: all
	@tests/fuzz/properties --build $(BUILD) $(if $(KEEP),--keep $(KEEP)) $(if $(filter command% environment%,$(origin FUZZ_N)),$(FUZZ_N),3000) $(SEED)

# SAFE programs without the reason of one omission (KIND=: by mutations that attack this kind of src/result/omissions.def): none may stay SAFE.
fuzz-omissions: all
	@tests/fuzz/omissions --build $(BUILD) $(if $(KEEP),--keep $(KEEP)) $(if $(KIND),--kind $(KIND)) $(FUZZ_N) $(SEED)

# Proofs that are wrong for a reason that the checker does not tell: at least 200, each refused.
tamper: unit
	@$(BUILD)/fuzz/proofs tamper 200 $(addprefix tests/ir/,red_p1_1.hir red_workers.hir lock.hir red_unlock_two.hir weave_pairs.hir weave_context.hir mutex.hir)

# Certificates of 200 programs: what is counted is written, and --check-certificate accepts each.
certificates: all
	@tests/certificates.py --build $(BUILD) 200

fuzz-ends: all
	@for e in explicit redcomp auto; do tests/fuzz/ends --build $(BUILD) --engine $$e $(FUZZ_N) $(SEED) || exit 1; done
	@tests/fuzz/ends --build $(BUILD) --engine redcomp --rule rounds $(FUZZ_N) $(SEED)
	@tests/fuzz/ends --build $(BUILD) --engine redcomp --many --fair no $(FUZZ_N) $(SEED)

fuzz: fuzz-front fuzz-engines fuzz-native fuzz-passes fuzz-oracle fuzz-properties fuzz-ends fuzz-weak fuzz-omissions

# The SAFE programs of tests/c, natively with ThreadSanitizer, AddressSanitizer and random delays; ASK=yes: all properties that are SAFE.
check-native: all
	@tests/native_safe --build $(BUILD) --seed $(SEED) $(if $(ASK),--ask)

# Speed of the explicit engine on the examples.
bench: all
	@tests/bench/explicit --build $(BUILD)

# Table I of the RedComp paper, and protocols, with the engine redcomp.
bench-redcomp: all
	@tests/bench/redcomp --build $(BUILD)

# Table II of the RedComp paper: the property termination.
bench-termination: all
	@tests/bench/termination --build $(BUILD)

# Tables I and II of the Impara paper, with the engine impact.
bench-impact: all
	@tests/bench/impact --build $(BUILD)

# The tables of the Weaver paper with the engine weave, and broken variants of their programs. WVR=dir: Weaver's examples.
bench-weave: all
	@tests/bench/weave --build $(BUILD) $(if $(WVR),--programs $(WVR))

# no-data-race on generated programs with many threads and locks: time and memory against size.
bench-races: all
	@tests/bench/races --build $(BUILD) $(if $(LINES),--lines $(LINES))

# Table 1 of the Threader paper with the engine threader, and growth with threads. TASKS=dir: SV-COMP's tasks, for Scull.
bench-threader: all
	@tests/bench/threader --build $(BUILD) $(if $(TASKS),--tasks $(TASKS))

bench-mutants: all
	@tests/bench/mutants --build $(BUILD) $(if $(WVR),--programs $(WVR))

# Locks under TSO and PSO. TASKS=table SETS=name,name: programs with mutexes, against sequential consistency.
bench-weak: all
	@tests/bench/weak --build $(BUILD) $(if $(TASKS),--times 2 --mutexes $(TASKS) $(SETS))

# Every file of a corpus (CORPUS=dir): does the front end accept it?
corpus: all
	@tests/corpus --build $(BUILD) $(CORPUS)

# The layout of the code, by .clang-format.
format:
	@for again in 1 2; do find src tests/unit tests/fuzz -name '*.[ch]' | xargs clang-format-19 -i; done # once is not always enough

# What compilers, cppcheck, clang-tidy and codespell complain of. lint: what changed; tidy: all files, some 20 minutes.
lint:
	@tests/lint
tidy:
	@tests/lint --all

# Brings the option table of doc/manual.md and the examples of README.md up to date.
manual: all
	@tests/manual --build $(BUILD) --write

# ---- the public library: it runs the program ----
library: $(BUILD)/libheddle.so.0
$(BUILD)/libheddle.so.0: lib/heddle.c lib/heddle.h
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	@$(CC) $(filter-out -std=%,$(CFLAGS)) -std=gnu11 -D_GNU_SOURCE -fPIC -shared -fvisibility=default -Wl,-soname,libheddle.so.0 $(JSON_CFLAGS) -o $(new) lib/heddle.c $(JSON_LIBS) && $(keep)

# ---- installation ----
# The man page and the completions come from --help, which comes from src/options/options.def.
LIBDIR ?= lib
into    = $(DESTDIR)$(PREFIX)
VERSION = $(shell sed -n 's/.*HEDDLE_VERSION "\(.*\)"/\1/p' src/base/version.h)
install: all library
	install -d "$(into)/bin" "$(into)/lib/heddle" "$(into)/share/heddle" "$(into)/$(LIBDIR)/pkgconfig" "$(into)/include" "$(into)/share/man/man1"
	install -d "$(into)/share/bash-completion/completions" "$(into)/share/zsh/vendor-completions" "$(into)/share/doc/heddle/examples"
	install -m 755 $(BUILD)/heddle "$(into)/bin/heddle"
	install -m 755 $(BUILD)/heddle-cc "$(into)/bin/heddle-cc"
	ln -sf heddle-cc "$(into)/bin/heddle-c++"
	install -m 644 $(BUILD)/libheddle-run.a "$(into)/lib/heddle"
	install -m 644 $(BUILD)/heddle-c.so "$(into)/lib/heddle"
	install -m 644 $(BUILD)/model-LP64.bc $(BUILD)/model-ILP32.bc "$(into)/share/heddle"
	install -m 644 $(BUILD)/libheddle.so.0 "$(into)/$(LIBDIR)"
	ln -sf libheddle.so.0 "$(into)/$(LIBDIR)/libheddle.so"
	install -m 644 lib/heddle.h "$(into)/include"
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|/lib$$|/$(LIBDIR)|' lib/heddle.pc.in >"$(into)/$(LIBDIR)/pkgconfig/heddle.pc"
	tools/pages man $(BUILD)/heddle >"$(into)/share/man/man1/heddle.1"
	tools/pages bash $(BUILD)/heddle >"$(into)/share/bash-completion/completions/heddle"
	tools/pages zsh $(BUILD)/heddle >"$(into)/share/zsh/vendor-completions/_heddle"
	install -m 644 doc/manual.md "$(into)/share/doc/heddle"
	install -m 644 examples/* "$(into)/share/doc/heddle/examples"

clean:
	rm -rf build build-asan build-clang build-broken

-include $(objects:.o=.d) $(c_front:.o=.d) $(runtime:.o=.d) $(BUILD)/obj/cc/main.d $(addsuffix .d,$(unit_tests)) $(addsuffix .d,$(fuzz_tools))
-include $(wildcard $(BUILD)/model/*/*.d)
