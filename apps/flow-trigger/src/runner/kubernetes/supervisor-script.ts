import { CONTAINER_PATHS } from '../docker-arguments.ts';

/**
 * The container of a run executes this script. The script waits for the files of the next program in the input folder,
 * runs the program, and writes every line of the program's output, and then the exit code, to its own output, which is
 * the log of the pod.
 *
 * - `o N text`, `e N text`: a line of standard output or error of program N.
 * - `x N code`: the end of program N, with its exit code.
 *
 * Processes that a program leaves behind are ended before the next program starts. The script needs sh, sed, sleep,
 * mkfifo and rm.
 */
export const SUPERVISOR = `
i=${CONTAINER_PATHS.input}
f=/tmp/.steward-$$
n=0
if sed -u '' < /dev/null > /dev/null 2>&1; then
  mark() { exec sed -u "s/^/$1 /"; }
else
  mark() { while IFS= read -r line || [ -n "$line" ]; do printf '%s %s\\n' "$1" "$line"; done; }
fi
end_others() {
  [ $$ -eq 1 ] || return 0
  for round in 1 2 3; do
    for entry in /proc/[0-9]*; do
      case " 1 $out $err " in *" \${entry#/proc/} "*) ;; *) kill -9 "\${entry#/proc/}" ;; esac
    done
  done 2> /dev/null
}
trap 'exit 143' TERM
while :; do
  n=$((n + 1))
  until [ -e "$i/program-$n.ready" ]; do sleep 0.2; done
  rm -rf "$f.out" "$f.err"
  mkfifo "$f.out" "$f.err" || exit 125
  mark "o $n" < "$f.out" & out=$!
  mark "e $n" < "$f.err" & err=$!
  /bin/sh "$i/program-$n.sh" < "$i/program-$n.stdin" > "$f.out" 2> "$f.err"
  code=$?
  end_others
  wait "$out" "$err"
  printf '\\nx %s %s\\n' "$n" "$code"
done
`.trim();
