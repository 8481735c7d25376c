import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { judgeComment } from './judge-comment.ts';
import { listTexts } from './list-texts.ts';

/** Generated sources, and the check itself, whose tests contain faults. */
const LEFT_OUT = /(?:^|\/)(?:__generated__|check-comments)\//;

/** `npm run check:comments`: finds comments and test titles that begin without a subject, or use private terms. */
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
if (faults > 0) process.exitCode = 1;
else console.log(`${count} comments and test titles are in order`);
