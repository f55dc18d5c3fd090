#!/bin/sh
# Builds NuSMV into a folder, from the source that comes inside the source distribution of pynusmv: two minutes.
# Needs pip, a C compiler, make, flex, bison and expat's headers. Then: FSMCHECK_NUSMV=FOLDER/NuSMV python -m tests.soak --peers
set -eu
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${PYTHON:-python3}" -m pip download --quiet --no-deps --no-binary :all: pynusmv==1.0rc8
tar xzf pynusmv-1.0rc8.tar.gz
cd pynusmv-1.0rc8/dependencies/NuSMV
tar xzf NuSMV-2.5.4.tar.gz
patch -s -p0 -N <pynusmv.patch
patch -s -p0 -N <cudd.patch
cd NuSMV-2.5.4/cudd-2.4.1.1
# What today's compilers and C libraries no longer take.
sizes="-DNUSMV_SIZEOF_VOID_P=8 -DNUSMV_SIZEOF_LONG=8 -DNUSMV_SIZEOF_INT=4"
old="-O2 -fcommon -std=gnu89 -w -fPIC"
sed -i "s|^XCFLAGS.*|XCFLAGS = -DHAVE_IEEE_754 -DBSD $sizes $old|" Makefile_64bit
sed -i 's/union wait status/int status/' util/pipefork.c
make -s -f Makefile_64bit >/dev/null
cd ../nusmv
CFLAGS="$old" ./configure --quiet --disable-minisat --disable-zchaff >/dev/null
make -s >/dev/null
cp NuSMV "$folder/"
echo "$folder/NuSMV"
