#!/bin/sh
# Installs this checkout as the service adviser-site in /srv/adviser-site, or, when it is installed, renews the units and the
# command adviser-site. Run it as root, in your own clone; docs/operations.md says more. SITE names another folder.
set -eu
site=${SITE:-/srv/adviser-site}
case $site in
  /*[!A-Za-z0-9/._-]* | [!/]*)
    echo "SITE must be an absolute path of letters, digits and ._-/" >&2
    exit 1
    ;;
esac
cd "$(dirname "$0")/.."
case $(pwd -P)/ in
  "$(readlink -m "$site")"/*)
    echo "Run this in your own clone: the service's user may write everything below $site." >&2
    exit 1
    ;;
esac
id adviser-site >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir "$site" --shell /usr/sbin/nologin adviser-site
if [ ! -e "$site/current" ]; then
  # Until everything is in place, the folder is root's, so that no link in it leads root elsewhere.
  if [ -e "$site" ] && [ "$(stat -c %u "$site")" != 0 ]; then
    echo "$site has no link \`current\` and is not root's: move it away first." >&2
    exit 1
  fi
  first=$site/releases/first
  mkdir -p "$site/releases" "$site/data/first" "$site/backups" "$site/.npm"
  [ -e "$site/.env" ] || cp .env.example "$site/.env"
  chmod 700 "$site/data" "$site/backups"
  chmod 600 "$site/.env"
  rm -rf "$first"
  git clone --quiet --no-hardlinks . "$first"
  git -C "$first" remote set-url origin "$(git remote get-url origin)"
  ln -s ../../.env "$first/.env"
  ln -s ../../data/first "$first/.data"
  chown -R adviser-site: "$first" "$site/data" "$site/backups" "$site/.npm" "$site/.env"
  (cd "$first" && setpriv --reuid=adviser-site --regid=adviser-site --clear-groups env HOME="$site" node scripts/build.mjs)
  ln -s releases/first "$site/current"
  chown -h adviser-site: "$site/current" "$site/releases" "$site"
fi
for unit in deploy/adviser-site*; do
  sed "s|/srv/adviser-site|$site|" "$unit" >"/etc/systemd/system/${unit#deploy/}"
done
sed "s|/srv/adviser-site|$site|" deploy/upgrade.sh >/usr/local/sbin/adviser-site
chmod 755 /usr/local/sbin/adviser-site
systemctl daemon-reload
systemctl enable --now adviser-site.service adviser-site-backup.timer
