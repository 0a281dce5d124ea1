#!/bin/sh
# tools/try_packages.sh FOLDER [MIRROR]
# Tries the packages of `make deb` as somebody without this source would: in a fresh Debian 12 below FOLDER, which
# debootstrap makes where it is not there yet. Needs root, debootstrap and a mirror of Debian; what lintian calls an
# error is one here, where lintian is installed. Prints what it types; ends with 0 where all of it works.
set -eu
root=${1:?the folder of the fresh Debian}
mirror=${2:-http://deb.debian.org/debian}
here=$(cd "$(dirname "$0")/.." && pwd)

say() { printf '\n$ %s\n' "$*"; }
# inside COMMAND: in the fresh Debian, as root, with no variable of ours.
inside() {
  say "$*"
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 COLUMNS=100 \
    DEBIAN_FRONTEND=noninteractive /bin/bash -o pipefail -c "cd /root && $*"
}

test "$(ls "$here"/build/deb/*.deb | wc -l)" = 3 || { echo "run 'make deb' first"; exit 2; }
if command -v lintian > /dev/null; then
  say "lintian build/deb/*.deb"
  lintian --fail-on error "$here"/build/deb/*.deb
fi

if [ ! -e "$root/etc/debian_version" ]; then
  say "debootstrap --variant=minbase bookworm FOLDER"
  debootstrap --variant=minbase bookworm "$root" "$mirror" > /dev/null
fi
trap 'umount "$root/proc" "$root/sys" "$root/dev" 2> /dev/null || true' EXIT
for folder in proc sys dev; do
  mountpoint -q "$root/$folder" || mount --bind "/$folder" "$root/$folder"
done
cp /etc/resolv.conf "$root/etc/"
rm -rf "$root/root/packages" "$root/root/mine"
mkdir -p "$root/root/packages" "$root/root/mine"
cp "$here"/build/deb/*.deb "$root/root/packages/"
cp "$here"/tests/install/main.cpp "$root/root/mine/"

inside "apt-get update -q > /dev/null"
inside "apt-get install -y -q ./packages/*.deb 2>&1 | grep -E '^(Need|After|[0-9]+ upgraded|Setting up .*espalier)'"
inside "dpkg-query -W -f '\${Package} \${Version} \${Architecture} \${Installed-Size} KiB, \${Status}\n' '*espalier*'"
inside "espalier --version"
inside "espalier demo -o demo | tail -n 4"
inside "espalier generate pile 24 -o pile.yaml && espalier simulate pile.yaml --end 0.1 --ranks 2 --no-files | sed -n 1,3p"
# A minimal Debian has no `man`, and no compiler.
inside "apt-get install -y -q man-db g++ cmake make bash-completion > /dev/null 2>&1"
inside "man espalier | sed -n 1,12p"
inside "man espalier-plan | grep -A 2 '^NAME'"
inside "ls /usr/share/bash-completion/completions/espalier /usr/share/doc/espalier/docs/tour.md"
inside "cp /usr/share/doc/espalier/docs/CMakeLists.example.txt mine/CMakeLists.txt"
inside "cmake -S mine -B mine/build > /dev/null && cmake --build mine/build | tail -n 1 && mine/build/my_mechanism"
inside "apt-get purge -y -q espalier libespalier-dev espalier-doc 2>&1 | grep '^[0-9]* upgraded'"
inside "! find /usr /etc /var/lib/dpkg/info -name '*espalier*' | grep ."
