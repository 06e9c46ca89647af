#!/bin/sh
# Before a removal, on Debian ("remove") and on Fedora (0); not before an upgrade.
set -e

case "$1" in
remove | 0)
  if [ -d /run/systemd/system ]; then
    systemctl disable --now mailkin.service mailkin-backup.timer
  fi
  ;;
esac
