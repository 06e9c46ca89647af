#!/bin/sh
# After a removal. Mail and backups stay, and so does their user: delete /var/lib/mailkin and /var/backups/mailkin
# yourself when you are sure.
set -e

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
