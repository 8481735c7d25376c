import { execFileSync } from 'node:child_process';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { judgeTitle } from './judge-title.ts';

/** Last commit before the rule was introduced. */
const SINCE = '207d03ddb62a07d9cd6ee1847d3e6aa0bafb0e53';

/**
 * Runs `npm run check:commits`: checks the titles of all commits since the rule was introduced; in a clone without that
 * history, only the newest commit.
 */
const titles = listTitles();
const faults = titles.flatMap((title) => {
  const fault = judgeTitle(title);
  return fault === undefined ? [] : [`"${title}" ${fault}`];
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${titles.length} titles of commits are in order`);

function listTitles(): string[] {
  const range = isKnown(SINCE) ? [`${SINCE}..HEAD`] : ['-1'];
  return git(['log', '--format=%s', ...range])
    .split('\n')
    .filter((title) => title !== '');
}

function isKnown(revision: string): boolean {
  try {
    git(['merge-base', '--is-ancestor', revision, 'HEAD']);
    return true;
  } catch {
    return false;
  }
}

function git(args: readonly string[]): string {
  return execFileSync('git', args, { cwd: WORKSPACE_ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
