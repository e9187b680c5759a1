#!/bin/sh
# deploy/install.sh copies this file to /usr/local/sbin/adviser-site: root runs nothing that the service's user may write.
# `current` is a link to a folder in `releases`, and that folder's `.data` is a link to one in `data`: replacing the first link
# switches code and data at once.
set -eu
site=${SITE:-/srv/adviser-site}
running=$(readlink -e "$site/current" || true)
# The service reads .env alone. npm passes on the cache and settings of the user who called it, which the owner may not read.
unset DATA_DIR HOST PORT SUPABASE_URL npm_config_cache npm_config_userconfig
name=$(date -u +%Y-%m-%dT%H-%M-%SZ)
next=$site/releases/$name
backup=$site/backups/before-$name.tar.gz
# The programs of the site and git run as the user that owns the site.
as_owner="env"
if [ "$(id -u)" = 0 ]; then
  as_owner="setpriv --reuid=$(stat -c %u "$site") --regid=$(stat -c %g "$site") --clear-groups env HOME=$site"
fi
# The Node that the installation added, if any. Not for root.
as_owner="$as_owner PATH=$running/node_modules/.bin:$PATH"
# Files change as this user, too: as root, a link that the service made in data/ could lead to any file.
cp() { $as_owner cp "$@"; }
ln() { $as_owner ln "$@"; }
mv() { $as_owner mv "$@"; }
rm() { $as_owner rm "$@"; }
git="$as_owner git -C $next"
setting() { $as_owner node --env-file="$site/.env" --print "process.env.$1 ?? ''"; }
is_hosted() { [ -n "$(setting SUPABASE_URL)" ]; }
step=

fail() {
  echo "$@" >&2
  exit 1
}

# Lets the link `current` lead to the folder $1, also after a power failure.
point() {
  sync -f "$site" "$site/data"
  ln -sfn "releases/$(basename "$1")" "$site/current.new" &&
    mv -T "$site/current.new" "$site/current" &&
    sync -f "$site"
}

back_up() {
  (cd "$running" && $as_owner node scripts/backup.ts "$1")
}

# Restores into the folder $1 with the new version, which fails when one of its migrations does.
restore() {
  (cd "$next" && $as_owner DATA_DIR="$1" node scripts/restore.ts "$backup" >/dev/null)
}

# Lists the files that decide whether two versions can share a database, where they differ.
list_data_changes() {
  old=$($as_owner git -C "$running" rev-parse HEAD)
  $git diff --name-only "$old" HEAD -- supabase/migrations packages/embedded-supabase/src/platform.sql
  $git diff --name-only -G'"(embedded-postgres|@supabase/lite)":' "$old" HEAD -- package.json
}

# Copies the running version as hard links, and adds what its origin has.
fetch_version() {
  $as_owner git clone --quiet --no-checkout "$running" "$next"
  $git remote set-url origin "$($as_owner git -C "$running" remote get-url origin)"
  $git fetch --quiet --prune --force --tags origin
  commit=$($git rev-parse --verify --quiet "origin/$1^{commit}" || $git rev-parse --verify --quiet "$1^{commit}") ||
    fail "The origin has no version $1."
  $git checkout --quiet --detach "$commit"
}

# Packages and the build are those of the running version where nothing changed. Its files also stay for tabs that are open.
install_version() {
  parts=".builds build"
  if [ -d "$running/.node" ]; then parts="$parts .node"; fi
  if cmp -s "$running/package-lock.json" "$next/package-lock.json"; then parts="$parts node_modules"; fi
  for part in $parts; do cp -al "$running/$part" "$next"; done
  # Leads to the Node in the other folder.
  rm -f "$next/node_modules/.bin/node"
  ln -s ../../.env "$next/.env"
  cd "$next"
  $as_owner node --input-type=module --eval 'const { ensureInstalled, ensureBuilt } = await import("./scripts/prepare.mjs");
    await ensureInstalled();
    await ensureBuilt();'
}

# Starts the new version on a copy of the data, where visitors do not reach it. A restored copy sends no mail.
try_out() {
  is_hosted || restore "$site/data/$name.try"
  port=$($as_owner node --eval 'const s = net.createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  variables="DATA_DIR=$site/data/$name.try HOST=127.0.0.1 PORT=$port"
  cd "$next"
  # With this name, it ends when this script does.
  $as_owner $variables npm_lifecycle_event=upgrade node scripts/start.mjs >/dev/null &
  tried=$!
  $as_owner $variables node scripts/wait-until-healthy.ts "$tried" || fail "The new version does not work."
  kill "$tried"
  wait "$tried" || true
  rm -rf "$site/data/$name.try"
}

# Removes all versions but the running one and the one before, with their data, and backups of upgrades after 30 days. Changes that
# no later version has are kept.
remove_unused() {
  current=$(readlink -e "$site/current")
  former=$(readlink -e "$current/.previous" || echo "$current")
  for version in "$site"/releases/*; do
    [ "$version" != "$current" ] && [ "$version" != "$former" ] || continue
    case $(readlink -f "$version/.data") in
      "$(readlink -f "$current/.data")" | "$(readlink -f "$former/.data")") ;;
      # What this user may not remove is not the site's data.
      *) [ -e "$version/.data/left-out" ] || rm -rf "$(readlink -f "$version/.data")" || true ;;
    esac
    rm -rf "$version"
  done
  rm -rf "$site"/data/*.try "$site"/data/*.restoring
  # Also those of the nightly timer of version 0.9.
  $as_owner find "$site/backups" -maxdepth 1 -type f -name '*20??-??-??T??-??-??Z.tar.gz*' -mtime +30 -delete || true
}

undo() {
  status=$?
  set +e
  trap - EXIT
  trap '' INT TERM HUP
  case $status$step in
    0*) ;;
    *prepare)
      kill "${tried:-}" 2>/dev/null && wait "$tried"
      remove_unused
      echo "The upgrade failed. The site was not touched." >&2
      ;;
    *switch)
      systemctl stop adviser-site 9>&-
      if [ "$data" != "$running_data" ] && [ -e "$data" ] && $as_owner touch "$data/left-out"; then
        echo "What the new version stored stays in $data." >&2
      fi
      point "$running"
      systemctl start adviser-site 9>&-
      $as_owner node "$running/scripts/wait-until-healthy.ts" && echo "The upgrade failed. The version before runs again." >&2
      ;;
    *restore)
      rm -f "$backup"
      systemctl start adviser-site 9>&-
      echo "The backup was not restored. The site has the data that it had." >&2
      ;;
    *start) systemctl start adviser-site 9>&- ;; # Whichever version the link names, with the data that it has.
  esac
  exit "$status"
}

upgrade() {
  remove_unused
  step=prepare
  fetch_version "$1"
  install_version
  is_hosted || back_up "$backup"
  try_out

  running_data=$(readlink -f "$running/.data")
  data=$running_data
  changes=$(list_data_changes)
  # A version that stores data differently gets a copy, so that the one before can go back to its own.
  if is_hosted || [ -z "$changes" ]; then
    cp -P "$running/.data" "$next"
  else
    data=$site/data/$name
    ln -s "../../data/$name" "$next/.data"
  fi
  ln -s "../$(basename "$running")" "$next/.previous"
  step=switch
  systemctl stop adviser-site 9>&-
  if [ "$data" != "$running_data" ]; then
    rm "$backup"
    back_up "$backup"
    restore "$data"
    # No backup has these facts, about which /manage warns.
    for fact in generated-password last-backup; do
      [ ! -e "$running_data/$fact" ] || cp "$running_data/$fact" "$data"
    done
    # Hard links, so that both versions keep the nightly backups, and only one of them takes room.
    for kept in backups settings.key; do
      [ ! -e "$running_data/$kept" ] || cp -al "$running_data/$kept" "$data"
    done
    # A restored copy holds its mail. This one is the live site, unless the one before was not.
    [ -e "$running_data/outgoing-mail-held" ] || rm "$data/outgoing-mail-held"
  fi
  point "$next"
  systemctl start adviser-site 9>&-
  $as_owner node "$next/scripts/wait-until-healthy.ts"
  step=
  remove_unused
  echo "$1 runs, from $next. To go back: sudo adviser-site rollback"
}

# The newest release of the origin, of the same major version: another one may ask for a decision. Nothing when this is it.
newer_release() {
  present=v$($as_owner sed -n 's/^  "version": "\(.*\)",$/\1/p' "$running/package.json")
  tags=$($as_owner git -C "$running" ls-remote --tags --refs origin "${present%%.*}.*") || fail "The origin cannot be read."
  newest=$(echo "$tags" | sed 's|.*refs/tags/||' | grep -E '^v[0-9]+\.[0-9]+\.[0-9]+$' | sort -V | tail -n 1)
  if [ "$(printf '%s\n' "$present" "$newest" | sort -V | tail -n 1)" != "$present" ]; then echo "$newest"; fi
}

roll_back() {
  former=$(readlink -e "$running/.previous") || fail "There is no version to go back to."
  data=$(readlink -f "$running/.data")
  former_data=$(readlink -f "$former/.data")
  if [ "$data" != "$former_data" ]; then
    echo "The version before stores data differently, so its data of $(basename "$running") comes back.
Everything written since then disappears from the site: messages, posts, images, testimonials, accounts.
It stays in $data and in $backup, which is made first. Keep one of them as long as the archive keeps what was public."
    if [ "${1:-}" != --leave-out-changes ]; then
      printf 'Type yes to go back: '
      read -r answer && [ "$answer" = yes ] || fail "Nothing was changed."
    fi
  fi
  step=start
  systemctl stop adviser-site 9>&-
  if [ "$data" != "$former_data" ]; then
    $as_owner touch "$data/left-out"
    back_up "$backup" || echo "The backup failed; the folder stays." >&2
  fi
  point "$former"
  systemctl start adviser-site 9>&-
  $as_owner node "$former/scripts/wait-until-healthy.ts"
  echo "Went back to $former"
}

# Replaces the data by those of a backup, which may be in a folder that the site's user may not read.
bring_back() {
  ! is_hosted || fail "This site has no data of its own: the backups are the project's."
  [ -f "$1" ] || fail "There is no file $1."
  step=restore
  backup=$site/backups/restore-$name.tar.gz
  $as_owner sh -c 'umask 077 && cat >"$1"' - "$backup" <"$1"
  systemctl stop adviser-site 9>&-
  (cd "$running" && $as_owner node scripts/restore.ts "$backup" --replace >/dev/null)
  step=start
  systemctl start adviser-site 9>&-
  $as_owner node "$running/scripts/wait-until-healthy.ts"
  step=
  rm "$backup"
  echo "The site has the data of $1. What it had before is beside them: $(readlink -f "$running/.data").before-*
It sends no mail, because the site of the backup may do so. If this is the live site: sudo adviser-site restore --live"
}

# Lets a restored site send mail.
go_live() {
  (cd "$running" && $as_owner node scripts/restore.ts --live >/dev/null)
  systemctl stop adviser-site 9>&-
  systemctl start adviser-site 9>&-
  $as_owner node "$running/scripts/wait-until-healthy.ts"
  echo "This is the live site, which sends mail."
}

[ -n "$running" ] || fail "There is no $site/current, which deploy/install.sh makes."
[ "$(id -u)" != 0 ] || [ "$(stat -c %u "$0")" = 0 ] ||
  fail "Root must not run this file, which $(stat -c %U "$0") may write: sudo adviser-site upgrade VERSION"
[ -z "$(setting DATA_DIR)" ] || fail "Remove DATA_DIR from .env: the link .data names the folder."
if [ "${1:-}" = setup-link ]; then
  cd "$running"
  exec $as_owner node scripts/owner.ts setup-link
fi
exec 9<"$site"
flock --nonblock 9 || fail "Another upgrade, rollback or restore runs."
trap undo EXIT
trap 'exit 1' INT TERM HUP
case ${1:-} in
  upgrade)
    version=${2:?Usage: adviser-site upgrade TAG_BRANCH_OR_COMMIT, or --latest}
    if [ "$version" = --latest ]; then version=$(newer_release); fi
    if [ -n "$version" ]; then upgrade "$version"; else echo "This is the newest release."; fi
    ;;
  rollback) roll_back "${2:-}" ;;
  restore)
    case ${2:?Usage: adviser-site restore FILE, or --live} in
      --live) go_live ;;
      *) bring_back "$2" ;;
    esac
    ;;
  *) fail "Usage: adviser-site upgrade TAG_BRANCH_OR_COMMIT, rollback, restore FILE, or setup-link" ;;
esac
