#!/bin/sh
# Starts the site in its container. Where a folder is mounted at /backups, backs up to it every night at 03:00 UTC.
back_up_nightly() {
  while sleep "$((86400 - ($(date +%s) - 3 * 3600) % 86400))"; do
    sh deploy/back-up.sh /backups || echo "The nightly backup failed" >&2
  done
}
if [ -d /backups ]; then back_up_nightly & fi
exec node server/main.ts
