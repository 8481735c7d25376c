import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GuideWorkplace {
  readonly folder: string;
  readonly home: string;
  /** Path of the folder that comes first in `PATH`. */
  readonly programs: string;
  remove(): void;
}

const SESSION = '00000000-0000-4000-8000-000000000042';
const AT = '2026-11-01T10:00:00Z';
const claude = (content: string, n: number) => ({
  ...{ type: 'user', sessionId: SESSION, uuid: `${SESSION.slice(0, -1)}${n}`, timestamp: AT },
  message: { role: 'user', content },
});
const chat = [
  { role: 'user', content: 'Where is the heron?' },
  { role: 'assistant', content: 'At the pond.' },
];
const toLines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Prerequisites of the guides, by path: local files, session files of agents, and an API key. */
const FILES: Readonly<Record<string, string>> = {
  'work/policy.yaml': "version: '1'\nrules: []\n",
  'work/key': 'none',
  'work/secret': 'none',
  'work/prompt.md': 'Triage {{trigger_event.payload.issue.title}}.\n',
  'work/payload.json': '{"sha": "59b20b8"}',
  'work/change.diff': '+ heron\n',
  'work/reports/unit.xml': '<ok/>',
  'work/request.bin': '{}',
  'work/messages.json': JSON.stringify(chat),
  'work/chat.json': JSON.stringify({
    id: 'chat-1',
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Where is the heron?' }] }],
  }),
  'work/requests.jsonl': toLines([
    {
      request: { model: 'm', messages: chat.slice(0, 1) },
      response: { id: 'r1', model: 'm', choices: [{ index: 0, message: chat[1] }] },
    },
  ]),
  'work/runs.jsonl': toLines([
    {
      id: 'r1',
      trace_id: 't1',
      run_type: 'llm',
      name: 'm',
      start_time: AT,
      inputs: { messages: [chat.slice(0, 1)] },
      outputs: {},
    },
  ]),
  'work/transcript.jsonl': toLines([
    { type: 'message', role: 'user', content: 'Where is the heron?', external_id: 'e1' },
  ]),
  'work/claude-execution-output.json': JSON.stringify([
    { type: 'system', subtype: 'init', session_id: SESSION, cwd: '/work', uuid: 'a1' },
    { ...claude('Where is the heron?', 1), session_id: SESSION },
  ]),
  'home/.claude/projects/shop/one.jsonl': toLines([claude('Where is the heron?', 2)]),
  'home/.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-heron.jsonl': toLines([
    { timestamp: AT, type: 'session_meta', payload: { id: SESSION } },
    {
      ...{ timestamp: AT, type: 'response_item' },
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Where is the heron?' }] },
    },
  ]),
};

/** Shell pattern of commands in the guides that run until they are interrupted. */
const ENDLESS = '*"webhooks listen"*|*"--watch"*|*"approvals watch"*';

/**
 * Programs that replace those of the machine, by name. If a request is refused, the command ends; commands that run
 * endlessly are ended; `npx steward` is the command line of this repository.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  curl: 'exec /usr/bin/curl --fail-with-body "$@"',
  steward: [
    'case "$*" in',
    `${ENDLESS}) timeout -s INT 2 "$NODE" "$STEWARD_CLI" "$@"; code=$?; [ $code = 124 ] || exit $code;;`,
    'login*--api-key*) printf %s "$KEY" | "$NODE" "$STEWARD_CLI" "$@";;',
    'login*) printf "%s\\n" "$PASSWORD" | "$NODE" "$STEWARD_CLI" "$@";;',
    '*) exec "$NODE" "$STEWARD_CLI" "$@";;',
    'esac',
  ].join('\n'),
  npx: '[ "$1" = steward ] || exit 127; shift; exec steward "$@"',
  pbpaste: 'printf "Bearer heron-%s" 0123456789abcdef',
};

export function makeGuideWorkplace(): GuideWorkplace {
  const root = mkdtempSync(join(tmpdir(), 'steward-guide-'));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  mkdirSync(join(root, 'programs'));
  for (const [name, script] of Object.entries(PROGRAMS))
    writeFileSync(join(root, 'programs', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return {
    folder: join(root, 'work'),
    home: join(root, 'home'),
    programs: join(root, 'programs'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
