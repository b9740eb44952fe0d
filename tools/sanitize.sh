#!/bin/sh
# Builds the kernels with AddressSanitizer and UndefinedBehaviorSanitizer in a copy of the source,
# and runs their tests and the fuzzing of what uses them there. Any finding ends a run with an error.
#
#     sh tools/sanitize.sh [MINUTES for each fuzzed target]
set -e
python=$PWD/.venv/bin/python
copy=.cache/sanitize
rm -rf $copy
mkdir -p $copy/.cache .cache/home
ln -s "$PWD/.cache/home" $copy/.cache/home  # the gazetteer, which takes minutes to build
cp -r src tests hatch_build.py pyproject.toml $copy
find $copy/src -name '*.so' -delete
cd $copy
GEOSCOUT_NATIVE_FLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all" \
    "$python" hatch_build.py
# The libraries have to be there before Python. What Python and lexbor themselves leave is not ours.
LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
PYTHONMALLOC=malloc  # so that strings and bytes have borders that are watched
PYTHONPATH=$PWD/src:$PWD
export LD_PRELOAD ASAN_OPTIONS PYTHONMALLOC PYTHONPATH
"$python" -c 'import sys, geoscout; sys.exit("/sanitize/" not in geoscout.__file__)'
"$python" -m pytest -q -p no:cacheprovider tests/unit/native --deselect tests/unit/native/test_native.py
"$python" -m tests.fuzz --only html,kernels,names,links --minutes "${1:-1}"
