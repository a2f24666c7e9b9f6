# One word per job. Each sets up what it needs in .venv by itself: Python 3.11 or newer and make are enough.
# `make test ARGS="tests/dsl -x"` hands arguments on; `make PYTHON=python3.13 test` chooses the Python of a new .venv.

PY := .venv/bin/python
ROOMS := dsl compiler runtime grammars

# What loses or doubles somebody's work when it is wrong: ledgers, arrivals, step entry, the engine, the operation ledger.
EVERY_BRANCH := runtime/ledgers/*,runtime/writers.py,runtime/entry.py,runtime/running.py,runtime/unit.py,runtime/engine.py
EVERY_BRANCH := $(EVERY_BRANCH),runtime/delivery.py,runtime/departure.py,runtime/leaving.py,runtime/operations.py
EVERY_BRANCH := $(EVERY_BRANCH),runtime/arriving.py,runtime/approving.py,runtime/switching.py,runtime/children.py
EVERY_BRANCH := $(EVERY_BRANCH),runtime/deciding.py,runtime/retrying.py

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help demo test check coverage bench torture reference docs wheel clean

help:
	@echo "make demo      run a whole workflow on an SQLite file, and say what to look at"
	@echo "make test      run every test"
	@echo "make check     run every linter and type checker"
	@echo "make coverage  run every test and hold the branch coverage to its bars"
	@echo "make bench     measure, and compare with the bars"
	@echo "make torture   the long crash, fuzz and mutation runs"
	@echo "make reference write the generated pages of the manual anew"
	@echo "make docs      build the manual into build/manual, to be opened from disk"
	@echo "make wheel     build the wheel and the source distribution into dist/"
	@echo "make clean     remove what these made, .venv included"

demo: .venv/ready
	@$(PY) examples/demo.py

# loadgroup: tests of one xdist_group share a process, for the few that would disturb each other.
test: .venv/ready-to-develop
	@$(PY) -m pytest -n logical --dist loadgroup $(ARGS)

# All of them run, whatever the first one says: one run shows every complaint.
check: .venv/ready-to-develop
	@failed=; run() { echo "== $$*"; "$$@" || failed="$$failed $$1"; }; \
	PATH="$$PWD/.venv/bin:$$PATH"; export PATH; \
	run ruff check; \
	run ruff format --check; \
	run mypy; \
	run pyright; \
	run lint-imports --no-logo; \
	run bandit --quiet --recursive --severity-level medium --configfile pyproject.toml $(ROOMS) examples; \
	test -z "$$failed" || { echo "make check: not clean:$$failed" >&2; exit 1; }

coverage: .venv/ready-to-develop
	@$(PY) -m pytest -n logical --dist loadgroup --cov --cov-report= $(ARGS)
	@$(PY) -m coverage report --fail-under=95
	@$(PY) -m coverage report --fail-under=100 --include="$(EVERY_BRANCH)"

bench: .venv/ready-to-develop
	@$(PY) tests/benchmarks/run.py $(ARGS)

# The coverage-guided fuzzer has no build for every system and Python; without it the other one has its time.
torture: .venv/ready-to-develop
	@$(PY) -m pip install -qq --group fuzz || true
	@$(PY) tests/torture.py $(ARGS)

reference: .venv/ready
	@$(PY) -m docs.reference

docs: .venv/ready
	@$(PY) -m pip install -qq --group docs
	@$(PY) -m docs.manual build/manual

wheel: .venv/ready-to-develop
	@$(PY) -m build --no-isolation --outdir dist

clean:
	rm -rf .venv build dist demo site htmlcov .coverage .coverage.* .hypothesis .benchmarks
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A .venv that works is kept; one that was broken off or is too old is made anew. pip knows `--group` since 25.1.
.venv/ready: pyproject.toml
	@new_enough='import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'; \
	if ! { $(PY) -c "$$new_enough" && $(PY) -m pip --version; } >/dev/null 2>&1; then \
	  found=; for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11 python /usr/bin/python3); do \
	    if "$$python" -c "$$new_enough" >/dev/null 2>&1; then found="$$python"; break; fi; \
	  done; \
	  test -n "$$found" || { echo "Newel needs Python 3.11 or newer with venv (on Debian: apt install python3-venv);" \
	    "none was found. make PYTHON=/path/to/python names one." >&2; exit 1; }; \
	  echo "setting up .venv with $$("$$found" -V)"; \
	  "$$found" -m venv --clear .venv; \
	fi
	@$(PY) -m pip install -qq 'pip>=25.1'
	@$(PY) -m pip install -qq --editable .
	@touch $@

.venv/ready-to-develop: .venv/ready
	@$(PY) -m pip install -qq --group dev
	@touch $@
