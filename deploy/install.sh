#!/bin/sh
# Installs this checkout as the service adviser-site in /srv/adviser-site, or, when it is installed, renews the units.
# Run it as root; docs/operations.md says more. SITE names another folder.
set -eu
site=${SITE:-/srv/adviser-site}
case $site in
  /*[!A-Za-z0-9/._-]* | [!/]*)
    echo "SITE must be an absolute path of letters, digits and ._-/" >&2
    exit 1
    ;;
esac
cd "$(dirname "$0")/.."
id adviser-site >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir "$site" --shell /usr/sbin/nologin adviser-site
if [ ! -e "$site/current" ]; then
  first=$site/releases/first
  mkdir -p "$site/releases" "$site/data/first" "$site/backups"
  [ -e "$site/.env" ] || cp .env.example "$site/.env"
  chmod 700 "$site/data" "$site/backups"
  chmod 600 "$site/.env"
  rm -rf "$first"
  git clone --quiet --no-hardlinks . "$first"
  git -C "$first" remote set-url origin "$(git remote get-url origin)"
  ln -s ../../.env "$first/.env"
  ln -s ../../data/first "$first/.data"
  chown -R adviser-site: "$site"
  (cd "$first" && setpriv --reuid=adviser-site --regid=adviser-site --clear-groups env HOME="$site" node scripts/build.mjs)
  ln -s releases/first "$site/current"
fi
for unit in deploy/adviser-site*; do
  sed "s|/srv/adviser-site|$site|" "$unit" >"/etc/systemd/system/${unit#deploy/}"
done
systemctl daemon-reload
systemctl enable --now adviser-site.service adviser-site-backup.timer
