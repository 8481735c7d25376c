#!/usr/bin/env bash
# Starts a Steward flow and waits for its verdict with only curl and jq, for machines without Node.
#   STEWARD_WEBHOOK_URL   webhook URL of the flow (a secret)
#   STEWARD_API_KEY       key with view_flows; without it the script does not wait
#   STEWARD_URL           URL of the API; default: that of the webhook
#   STEWARD_TIMEOUT       seconds to wait, default 3600
#   IDEMPOTENCY_KEY       idempotency key; default: a new one
# Usage: trigger-flow.sh PAYLOAD.json [ATTACHMENT...]   ("-" reads the payload from standard input)
# Exit codes: 0 succeeded, 1 failed, 2 refused, 3 no response or verdict in time.
set +x -euo pipefail

refuse() {
  printf 'error: %s\n' "$1" >&2
  exit 2
}
[ -n "${STEWARD_WEBHOOK_URL:-}" ] || refuse 'set STEWARD_WEBHOOK_URL'
[ $# -ge 1 ] || refuse 'name the payload file, or - for standard input'
command -v jq > /dev/null || refuse 'jq is not installed'

umask 077
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat -- "$1" > "$scratch/payload.json" || refuse 'the payload cannot be read'
shift
jq -e 'type == "object"' "$scratch/payload.json" > /dev/null 2>&1 || refuse 'the payload is not a JSON object'
for file in "$@"; do
  base64 < "$file" | tr -d '\n' > "$scratch/encoded" || refuse "cannot read $file"
  jq --arg path "$file" --rawfile content "$scratch/encoded" \
    '.workspace_files += [{path: $path, content_base64: $content}]' "$scratch/payload.json" > "$scratch/next"
  mv "$scratch/next" "$scratch/payload.json"
done

# The URL and the key are passed on standard input: arguments are visible to every process of the machine.
# --retry-all-errors is safe because every attempt sends the same idempotency key and the same bytes.
request() {
  curl --silent --show-error --config - --output "$scratch/answer.json" --write-out '%{http_code}' \
    --retry 5 --retry-all-errors --retry-max-time 120 --connect-timeout 10 "$@"
}
say_refusal() {
  jq -r '"error: \(.detail.message // "refused") (\(.detail.code // "no code"))"' "$scratch/answer.json" >&2 2> /dev/null \
    || printf 'error: HTTP %s\n' "$1" >&2
}

key=${IDEMPOTENCY_KEY:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
status=$(printf 'url = "%s"\n' "$STEWARD_WEBHOOK_URL" \
  | request --max-time 60 --header 'content-type: application/json' --header "idempotency-key: $key" \
    --data-binary "@$scratch/payload.json") || { printf 'error: no response\n' >&2; exit 3; }
if [ "$status" != 202 ]; then
  say_refusal "$status"
  if [ "$status" -ge 500 ] || [ "$status" = 429 ]; then exit 3; fi
  exit 2
fi
execution=$(jq -r .execution_id "$scratch/answer.json")
printf 'accepted: execution %s\n' "$execution" >&2
[ -n "${STEWARD_API_KEY:-}" ] || exit 0

base=${STEWARD_URL:-${STEWARD_WEBHOOK_URL%%/webhooks/flows/*}}
base=${base%/}
base=${base%/api/v1}
ends_at=$((SECONDS + ${STEWARD_TIMEOUT:-3600}))
while [ "$SECONDS" -lt "$ends_at" ]; do
  left=$((ends_at - SECONDS))
  wait_seconds=$((left < 30 ? left : 30))
  status=$(printf 'url = "%s"\nheader = "authorization: Bearer %s"\n' \
    "$base/api/v1/flows/executions/$execution?wait=$wait_seconds" "$STEWARD_API_KEY" | request --max-time 90) || continue
  case $status in
    200) ;;
    429 | 5*) sleep 2; continue ;;
    *) say_refusal "$status"; exit 2 ;;
  esac
  case $(jq -r .status "$scratch/answer.json") in
    SUCCEEDED) jq -c '{status, result}' "$scratch/answer.json"; exit 0 ;;
    FAILED | STOPPED) jq -c '{status, failure_category, error_message, result}' "$scratch/answer.json"; exit 1 ;;
  esac
done
printf 'no verdict in time; execution %s continues\n' "$execution" >&2
exit 3
