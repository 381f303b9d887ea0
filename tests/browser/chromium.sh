#!/bin/sh
# Print the path of a Chromium. With --install, let Debian's apt-get bring one where it may.
names="chromium chromium-browser google-chrome google-chrome-stable"
applications="/Applications/Chromium.app/Contents/MacOS/Chromium
/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

find_chromium() {
  for name in $names; do
    command -v "$name" && return
  done
  echo "$applications" | while read -r path; do
    [ -x "$path" ] && echo "$path" && break
  done | grep .
}

find_chromium && exit
if [ "${1:-}" = --install ] && command -v apt-get >/dev/null; then
  if [ "$(id -u)" = 0 ]; then
    root=
  elif sudo -n true 2>/dev/null; then
    root=sudo
  else
    root=no
  fi
  if [ "$root" != no ]; then
    { $root apt-get update -qq && $root apt-get install -qq --no-install-recommends chromium fonts-dejavu-core; } >&2
    find_chromium && exit
  fi
fi
echo "The browser tests need Chromium or Chrome; on Debian and Ubuntu: apt-get install chromium." >&2
exit 1
