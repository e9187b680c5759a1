#!/bin/sh
# Backs up to a new file in a folder, then deletes the backups there, also those of upgrades, that are older than 30 days.
set -eu
folder=${1:?Usage: back-up.sh FOLDER}
cd "$(dirname "$0")/.."
# The Node that npm start installed, if any.
PATH=$PWD/node_modules/.bin:$PATH
node scripts/backup.ts "$folder/$(date -u +%Y-%m-%dT%H-%M-%SZ).tar.gz"
find "$folder" -maxdepth 1 -type f -name '*20??-??-??T??-??-??Z.tar.gz*' -mtime +30 -delete
