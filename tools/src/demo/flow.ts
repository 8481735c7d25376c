import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Command of a reviewer that needs no model: it reads its prompt and the two files in the workspace, and writes down
 * the result.
 */
const REVIEW_COMMAND = [
  'set -eu',
  'echo "reviewing $(head -n 1 "$STEWARD_PROMPT_FILE")"',
  'wc -c reports/coverage.txt patches/change.diff',
  'grep -q "quoted line breaks" "$STEWARD_PROMPT_FILE"',
  `printf '{"verdict":"approved","added_lines":%s}' "$(grep -c '^+' patches/change.diff)" > result.json`,
].join('\n');

export const DEMO_FLOW = {
  name: `Review pushes ${process.pid}`,
  trigger: 'webhook',
  agent_type: 'command',
  agent_config: { command: REVIEW_COMMAND },
  prompt_template: [
    'Repository {{trigger_event.payload.repository.full_name}}, branch {{trigger_event.payload.ref}}.',
    'Commit: {{trigger_event.payload.head_commit.message|truncate(200)}}',
    'Everything: {{trigger_event.payload|truncate(2000)}}',
  ].join('\n'),
};

const DIFF = `--- a/src/parse.js
+++ b/src/parse.js
@@ -10,3 +10,5 @@
   if (inQuotes) {
+    // A quoted field keeps its line breaks.
+    field += character;
     continue;
   }
`;

/** Builds a GitHub push event as GitHub sends it, with a patch and a coverage report as files for the workspace. */
export function buildPushPayload(): Record<string, unknown> {
  const push = JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, 'tools/demo/github-push.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const file = (path: string, content: string) => ({ path, content_base64: Buffer.from(content).toString('base64') });
  return {
    ...push,
    workspace_files: [
      file('patches/change.diff', DIFF),
      file('reports/coverage.txt', 'lines 93.1 %\nbranches 88.0 %\n'),
    ],
  };
}
