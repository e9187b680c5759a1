#!/bin/sh
# Installs this clone as the service adviser-site in /srv/adviser-site, and with a domain also https for it: packages, user, build,
# settings, web server. Safe to repeat: a run does what is missing, renews the units and the command adviser-site,
# and leaves the installed version and its data. Run it as root; docs/operations.md says more. SITE names another folder.
# CERTIFICATE=internal is for trying: Caddy signs the certificate itself. WAIT is how many minutes it waits for DNS.
set -eu
usage="Usage: sudo sh deploy/install.sh [www.example.com] [--upgrade-at-night | --no-upgrade-at-night]"
site=${SITE:-/srv/adviser-site}
domain=
at_night=
for argument in "$@"; do
  case $argument in
    --upgrade-at-night) at_night=enable ;;
    --no-upgrade-at-night) at_night=disable ;;
    -* | *[!A-Za-z0-9.-]* | .* | *. | *..*) domain=wrong ;;
    *.*) domain=$domain$(echo "$argument" | tr '[:upper:]' '[:lower:]') ;;
    *) domain=wrong ;;
  esac
done

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}
say() { printf '%s\n' "$@"; }

[ "$domain" != wrong ] || fail "$usage"
[ "$(id -u)" = 0 ] || fail "Run it as root: sudo sh deploy/install.sh $domain"
case $site in
  /*[!A-Za-z0-9/._-]* | [!/]*) fail "SITE must be an absolute path of letters, digits and ._-/" ;;
esac
cd "$(dirname "$0")/.."
case $(pwd -P)/ in
  "$(readlink -m "$site")"/*) fail "Run this in your own clone: the service's user may write everything below $site." ;;
esac

# Programs of the site, and changes below its folder, run as the service's user: as root, a link that the service made could lead
# to any file. Its Node comes first, because the machine's may be too old.
as_service() {
  setpriv --reuid=adviser-site --regid=adviser-site --clear-groups \
    env HOME="$site" PATH="$site/current/node_modules/.bin:$PATH" "$@"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Names the web server of this machine; `other` listens on a port of the web and is not known here.
web_server() {
  for name in nginx apache2 caddy; do
    if has "$name"; then echo "$name" && return; fi
  done
  if ss -Htln 'sport = :80 or sport = :443' 2>/dev/null | grep -q .; then echo other; fi
}

install_packages() {
  wanted=
  has git || wanted="$wanted git"
  has node || wanted="$wanted nodejs"
  has npm || wanted="$wanted npm"
  has setpriv || wanted="$wanted util-linux"
  if [ -n "$domain" ]; then
    has curl || wanted="$wanted curl ca-certificates"
    has ss || wanted="$wanted iproute2"
    [ -n "$(web_server)" ] || wanted="$wanted caddy"
  fi
  [ -n "$wanted" ] || return 0
  has apt-get || fail "Install these first:$wanted"
  say "Installing$wanted …"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # Recommended packages of npm are compilers, which nothing here needs.
  # shellcheck disable=SC2086
  apt-get install -qq --yes --no-install-recommends $wanted >/dev/null
}

# Sets NAME to VALUE in .env, unless it has the value.
set_setting() {
  # shellcheck disable=SC2016
  as_service sh -c 'grep -qx "$2=$3" "$1" || { sed -i "/^$2=/d" "$1" && printf "%s=%s\n" "$2" "$3" >>"$1"; }' \
    - "$site/.env" "$1" "$2"
}

install_site() {
  id adviser-site >/dev/null 2>&1 ||
    useradd --system --user-group --home-dir "$site" --shell /usr/sbin/nologin adviser-site
  [ ! -e "$site/current" ] || return 0
  # Until everything is in place, the folder is root's, so that no link in it leads root elsewhere.
  if [ -e "$site" ] && [ "$(stat -c %u "$site")" != 0 ]; then
    fail "$site has no link \`current\` and is not root's: move it away first."
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
  (cd "$first" && as_service node scripts/build.mjs)
  ln -s releases/first "$site/current"
  chown -h adviser-site: "$site/current" "$site/releases" "$site"
}

install_units() {
  for unit in deploy/adviser-site*; do
    sed "s|/srv/adviser-site|$site|" "$unit" >"/etc/systemd/system/${unit#deploy/}"
  done
  sed "s|/srv/adviser-site|$site|" deploy/upgrade.sh >/usr/local/sbin/adviser-site
  chmod 755 /usr/local/sbin/adviser-site
  # Of version 0.9. The site makes its backups itself.
  if [ -e /etc/systemd/system/adviser-site-backup.timer ]; then
    systemctl disable --now adviser-site-backup.timer
    rm -f /etc/systemd/system/adviser-site-backup.*
  fi
  systemctl daemon-reload
  [ -z "$at_night" ] || systemctl "$at_night" --now adviser-site-upgrade.timer
  systemctl enable --now adviser-site.service
}

# The addresses of this machine; not those that only its own network knows, unless `all` asks for them.
own_addresses() {
  ip -o addr show up 2>/dev/null | awk '{ sub(/\/.*/, "", $4); print $4 }' | {
    if [ "${1:-}" = all ]; then cat; else
      grep -Ev '^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2[0-9]|3[01])\.|100\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])\.|::1$|f[cd]|fe[89ab])' || true
    fi
  }
}

addresses_of() { getent ahosts "$1" 2>/dev/null | awk '{ print $1 }' | sort -u; }

# Whether every address of the name $1 is one of this machine. Behind a router that translates addresses, this machine does not
# know its own: there, any address will do, and the certificate shows the rest.
leads_here() {
  found=$(addresses_of "$1")
  [ -n "$found" ] || return 1
  own=$(own_addresses all)
  for address in $found; do
    if ! echo "$own" | grep -qxF "$address"; then
      [ -z "$(own_addresses)" ] || return 1
    fi
  done
}

describe_record() {
  value=$(own_addresses | grep -v : | head -n 1)
  found=$(addresses_of "$domain" | tr '\n' ' ')
  if [ -n "$found" ]; then
    say "" "$domain leads to another machine: $found" "Where you bought the domain, replace its records of type A and AAAA by this one:"
  else
    say "" "This DNS record is missing. Add it where you bought the domain:"
  fi
  say "" "  type   A" "  name   $domain   (some providers want only what stands before your domain, such as www)" \
    "  value  ${value:-the public IPv4 address of this machine, which its provider shows}" ""
  six=$(own_addresses | grep : | head -n 1 || true)
  [ -z "$six" ] || say "Optional, for IPv6: a record of type AAAA with the same name and the value $six" ""
}

# Waits until the domain leads here. A second run goes on waiting.
wait_for_dns() {
  minutes=${WAIT:-15}
  waited=0
  until leads_here "$domain"; do
    [ "$waited" -gt 0 ] || describe_record
    if [ "$waited" -ge $((minutes * 60)) ]; then
      say "The record is not there after $minutes minutes. Caddy goes on trying by itself. To see the end of it, run the same command again."
      return 1
    fi
    [ $((waited % 60)) -gt 0 ] || say "Waiting for the record ($((waited / 60)) of at most $minutes minutes; Ctrl-C is safe) …"
    sleep 10
    waited=$((waited + 10))
  done
}

# The name with or without www that stands beside the domain, if it leads here as well.
other_name() {
  case $domain in
    www.*) other=${domain#www.} ;;
    *) other=www.$domain ;;
  esac
  if leads_here "$other"; then echo "$other"; fi
}

caddy_site() {
  tls=
  [ "${CERTIFICATE:-}" != internal ] || tls="
	tls internal"
  say "# Written by deploy/install.sh of the adviser site, which replaces it." \
    "$domain {$tls
	request_body {
		max_size 52MB
	}
	reverse_proxy 127.0.0.1:$port
}"
  if [ -n "$1" ]; then
    say "$1 {$tls
	redir https://$domain{uri} permanent
}"
  fi
}

# Leaves what others wrote into the Caddyfile, and adds one line.
set_up_caddy() {
  main=/etc/caddy/Caddyfile
  own=/etc/caddy/adviser-site.caddy
  line="import adviser-site.caddy"
  mkdir -p /etc/caddy
  [ -e "$main" ] || : >"$main"
  caddy_site "$(other_name)" >"$own.new"
  if cmp -s "$own.new" "$own" && grep -qxF "$line" "$main"; then
    rm "$own.new"
    systemctl enable --now caddy.service
    return
  fi
  cp "$main" "$main.before"
  mv "$own.new" "$own"
  packaged=$(dpkg-query --show --showformat='${Conffiles}\n' caddy 2>/dev/null | awk -v file="$main" '$1 == file { print $2 }')
  if [ -n "$packaged" ] && [ "$packaged" = "$(md5sum "$main" | cut -d ' ' -f 1)" ]; then
    # The example of the package, which serves a page on port 80.
    say "$line" >"$main"
  elif ! grep -qxF "$line" "$main"; then
    printf '\n%s\n' "$line" >>"$main"
  fi
  if ! problem=$(caddy validate --adapter caddyfile --config "$main" 2>&1); then
    mv "$main.before" "$main"
    fail "$problem" "Caddy does not accept its configuration with the site, so nothing was changed. $own has what to add to $main."
  fi
  rm "$main.before"
  systemctl enable --now caddy.service
  systemctl reload caddy.service
}

# Adds a file for the site once there is a certificate, and never touches another file.
set_up_nginx() {
  own=/etc/nginx/conf.d/adviser-site.conf
  certificates=/etc/letsencrypt/live/$domain
  if [ ! -e "$own" ] && grep -rqs "server_name[^;]*[[:space:]]$domain[[:space:];]" /etc/nginx/sites-enabled /etc/nginx/conf.d; then
    say "nginx has a site for $domain already. What the site needs there is in deploy/nginx.conf; nothing was written."
    return 1
  fi
  if [ ! -e "$certificates/fullchain.pem" ]; then
    say "nginx runs on this machine, and $domain has no certificate yet. Get one, then run this again:" \
      "  apt-get install certbot python3-certbot-nginx" \
      "  certbot certonly --nginx --domain $domain"
    return 1
  fi
  sed "s|www\.example\.com|$domain|g; s|127\.0\.0\.1:3000|127.0.0.1:$port|" deploy/nginx.conf >"$own.new"
  if cmp -s "$own.new" "$own"; then rm "$own.new" && return; fi
  mv "$own.new" "$own"
  if ! problem=$(nginx -t 2>&1); then
    rm "$own"
    fail "$problem" "nginx does not accept the site, so its file was removed again. deploy/nginx.conf has what to add."
  fi
  systemctl reload nginx.service
}

describe_proxy() {
  say "A web server runs on this machine already, and nothing was written over it. Let $domain lead to the site there:" \
    "https on port 443 with a certificate, forwarded to http://127.0.0.1:$port with WebSockets. For Apache, with certbot's certificate:" "" \
    "  a2enmod proxy proxy_http proxy_wstunnel ssl headers" \
    "  <VirtualHost *:443>" \
    "    ServerName $domain" \
    "    SSLEngine on" \
    "    SSLCertificateFile /etc/letsencrypt/live/$domain/fullchain.pem" \
    "    SSLCertificateKeyFile /etc/letsencrypt/live/$domain/privkey.pem" \
    "    ProxyPreserveHost on" \
    "    ProxyPass / http://127.0.0.1:$port/ upgrade=websocket" \
    "  </VirtualHost>" ""
}

# Only a firewall that is switched on already.
open_ports() {
  if has ufw && ufw status | grep -q '^Status: active'; then
    ufw allow 80/tcp >/dev/null
    ufw allow 443/tcp >/dev/null
  fi
}

# Whether the site answers at its address, with a certificate that browsers accept.
answers() {
  authority=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
  [ "${CERTIFICATE:-}" = internal ] || authority=
  curl --silent --fail --max-time 10 ${authority:+--cacert "$authority"} "https://$domain/healthz/live" >/dev/null
}

wait_for_https() {
  say "Waiting for the certificate of $domain (a minute or two) …"
  tries=0
  until answers; do
    tries=$((tries + 1))
    if [ "$tries" -ge 36 ]; then
      say "https://$domain does not answer yet. The ports 80 and 443 must be open, also in the firewall that the provider of this machine offers." \
        "The reasons are in: journalctl --unit $1 --lines 50" "Then run the same command again."
      return 1
    fi
    sleep 5
  done
}

# Returns 1 when something is left to do, which it has said.
set_up_https() {
  server=$(web_server)
  open_ports
  case $server in
    caddy)
      wait_for_dns && status=0 || status=1
      # Also without the record: Caddy then gets the certificate by itself once the record is there.
      set_up_caddy
      [ "$status" = 0 ] && wait_for_https caddy
      ;;
    nginx) set_up_nginx && wait_for_dns && wait_for_https nginx ;;
    *)
      answers && return
      describe_proxy
      leads_here "$domain" || describe_record
      return 1
      ;;
  esac
}

install_packages
install_site
before=$(as_service sha256sum "$site/.env")
if [ -n "$domain" ]; then
  set_setting SITE_URL "https://$domain"
  as_service grep -q '^TRUSTED_PROXIES=' "$site/.env" || set_setting TRUSTED_PROXIES 1
fi
if [ "$before" != "$(as_service sha256sum "$site/.env")" ] && systemctl is-active --quiet adviser-site.service; then
  install_units
  systemctl restart adviser-site.service
else
  install_units
fi
(cd "$site/current" && as_service node scripts/wait-until-healthy.ts) ||
  fail "The site does not start. The reasons are in: journalctl --unit adviser-site --lines 50"
port=$(as_service node --env-file="$site/.env" --print 'process.env.PORT || 3000')
# The service's user may write .env, and root writes the port into the configuration of the web server.
case $port in
  '' | *[!0-9]*) fail "PORT in $site/.env must be a number." ;;
esac
left=0
[ -z "$domain" ] || set_up_https || left=1
say ""
if [ "$left" = 1 ]; then say "The site is installed; https is not complete, as said above."; fi
address=$(as_service node --env-file="$site/.env" --print "process.env.SITE_URL || 'http://127.0.0.1:$port'")
say "The site: $address"
if link=$(/usr/local/sbin/adviser-site setup-link 2>/dev/null); then
  say "Open this link to set it up. It works once and for a day; \`sudo adviser-site setup-link\` shows another one." "" "$link" ""
fi
if ! systemctl is-enabled --quiet adviser-site-upgrade.timer 2>/dev/null; then
  say "New versions are installed when you say so: sudo adviser-site upgrade --latest. By themselves at night:" \
    "  sudo sh deploy/install.sh${domain:+ $domain} --upgrade-at-night"
fi
exit "$left"
