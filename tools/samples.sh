#!/usr/bin/env bash
# Makes a sample of the data of an older version, which a test opens in the newest: tools/samples.sh COMMIT NAME
# It builds that commit, fills a new data folder through SMTP and HTTP, and packs it as test/testdata/samples/NAME.tar.gz.
# A release adds its own with its tag.
set -euo pipefail
commit=$1 name=$2 root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source" "$work/data"
git archive "$commit" | tar -x -C "$work/source"
(cd "$work/source" && CGO_ENABLED=0 go build -buildvcs=false -o "$work/mailkin" ./cmd/mailkin)

MAILKIN_DATA_DIR=$work/data MAILKIN_HTTP_ADDR=127.0.0.1:0 MAILKIN_SMTP_ADDR=127.0.0.1:0 MAILKIN_LMTP_ADDR=127.0.0.1:0 \
  "$work/mailkin" serve >"$work/out" 2>&1 &
server=$!
url=
for _ in $(seq 300); do
  url=$(sed -nE 's/^  HTTP API +(\S+)$/\1/p' "$work/out")
  smtp=$(sed -nE 's/^  SMTP +(\S+),.*/\1/p' "$work/out")
  [[ -n $url && -n $smtp ]] && break
  sleep 0.1
done
token=$(cat "$work/data/token")
key=$(curl -sf -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"name":"robin"}' \
  "$url/v1/mailboxes" | python3 -c 'import json,sys; print(json.load(sys.stdin)["api_key"])')
deliver() { # subject, text, more headers
  printf 'From: Ann <ann@sender.example>\r\nTo: robin@mailkin.localhost\r\nSubject: %s\r\nMessage-ID: <%s@sender.example>\r\n%b\r\n%b\r\n' \
    "$1" "${1// /.}" "${3:-}" "$2" >"$work/mail"
  curl -sf "smtp://$smtp" --mail-from ann@sender.example --mail-rcpt robin@mailkin.localhost -T "$work/mail"
}
deliver 'Your code' 'Your verification code is 482913.'
deliver 'Lunch on Friday' 'Shall we meet at the harbour?'
deliver 'A file' '--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\na,b\r\n--b--' \
  'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n'
curl -sf -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
  -d '{"to":"kim@far.example","subject":"Hello","text":"It works."}' "$url/v1/send" >/dev/null
kill -TERM "$server"
wait "$server"
printf '%s' "$key" >"$work/data/key"
rm -f "$work"/data/*.lock "$work"/data/index.db* "$work"/data/*-room
mkdir -p "$root/test/testdata/samples"
tar -C "$work/data" --sort=name --owner=0 --group=0 --numeric-owner -cf - . | gzip -9n >"$root/test/testdata/samples/$name.tar.gz"
ls -l "$root/test/testdata/samples/$name.tar.gz"
