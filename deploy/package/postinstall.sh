#!/bin/sh
# After an installation and after an upgrade, on Debian ("configure OLD") and on Fedora (1 or 2).
set -e

if ! getent group mailkin >/dev/null; then
  groupadd --system mailkin
fi
if ! getent passwd mailkin >/dev/null; then
  useradd --system --gid mailkin --home-dir /var/lib/mailkin --no-create-home --shell /usr/sbin/nologin mailkin
fi
chgrp mailkin /etc/mailkin/mailkin.toml
install -d -o mailkin -g mailkin -m 0700 /var/lib/mailkin /var/backups/mailkin

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart mailkin.service # which runs only after an upgrade
fi

case "$1:$2" in
configure: | 1:*)
  echo "Mailkin does not run yet: put your names into /etc/mailkin/mailkin.toml, look at what"
  echo "\"mailkin doctor --config /etc/mailkin/mailkin.toml\" says, then: systemctl enable --now mailkin"
  ;;
esac
