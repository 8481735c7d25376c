import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { judgeApiText } from './judge-api-text.ts';
import { judgeComment } from './judge-comment.ts';
import { listApiTexts } from './list-api-texts.ts';
import { listTexts } from './list-texts.ts';

/** Generated sources, and the check itself, whose tests contain faults. */
const LEFT_OUT = /(?:^|\/)(?:__generated__|check-comments)\//;

const OPENAPI = 'docs/reference/openapi.json';

/**
 * `npm run check:comments`: finds comments, test titles and texts of the API that begin without a subject or a verb, or
 * use private terms.
 */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: WORKSPACE_ROOT })
  .toString()
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|js|mjs)$/.test(file) && !LEFT_OUT.test(file));
let count = 0;
let faults = 0;
for (const file of files) {
  for (const { line, text } of listTexts(file, readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8'))) {
    count += 1;
    const fault = judgeComment(text);
    if (fault === undefined) continue;
    faults += 1;
    console.error(`${file}:${line}: ${fault}`);
  }
}
for (const { place, text, isSummary } of listApiTexts(
  JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, OPENAPI), 'utf8')) as object,
)) {
  count += 1;
  const fault = judgeApiText(text, isSummary);
  if (fault === undefined) continue;
  faults += 1;
  console.error(`${OPENAPI} ${place}: ${fault}: ${text}`);
}
if (faults > 0) process.exitCode = 1;
else console.log(`${count} comments, test titles and texts of the API are in order`);
