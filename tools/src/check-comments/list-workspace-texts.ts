import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import type { PlacedText } from './draw-sentences.ts';
import { listMessages } from './list-messages.ts';
import { listTexts, type SourceText } from './list-texts.ts';

/** Matches generated sources, and the check itself, whose tests contain faults. */
const EXCLUDED = /(?:^|\/)(?:__generated__|check-comments)\//;
const TEST = /(?:\.(?:test|bench)\.|(?:^|\/)(?:testing|local-servers|bench|e2e|browser|attack|chaos|conformance)\/)/;

/** Lists the paths of the sources of the repository, committed or not. */
export function listSources(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: WORKSPACE_ROOT })
    .toString()
    .split('\n')
    .filter((file) => /\.(?:ts|tsx|js|mjs)$/.test(file) && !EXCLUDED.test(file));
}

/** Lists the comments, the test titles, and the messages of one source. */
export function listSourceTexts(file: string): PlacedText[] {
  const code = readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
  const placed = (kind: string, { line, text, blocks }: SourceText): PlacedText => ({
    kind,
    place: [`${file}:${line}`, ...(blocks ?? [])].join(' > '),
    text,
  });
  const texts = listTexts(file, code).map((text) => placed(text.blocks === undefined ? 'comment' : 'title', text));
  return TEST.test(file) ? texts : [...texts, ...listMessages(file, code).map((text) => placed(kindOf(file), text))];
}

function kindOf(file: string): string {
  if (file.startsWith('apps/console/')) return 'console';
  return file.startsWith('tools/cli/') ? 'cli' : 'message';
}
