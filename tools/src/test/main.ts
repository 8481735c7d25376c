import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { FULL_CAMPAIGNS } from '@steward/testing/campaign';
import { WORKSPACE_ROOT } from '../workspace.ts';
import '../packages/set-up.ts';
import { recordSlowFiles, type FileReport } from './record-slow-files.ts';
import { splitArguments } from './split-arguments.ts';

/**
 * Runs `npm test [-- jest arguments]`: runs the unit, integration and end-to-end tests of every project, or of one
 * (`--config FILE`, as used by `nx test PROJECT`). The set-up finds or installs the servers that they need. The last
 * line contains the number of tests that passed and failed. With `--watch` or `--inspect-brk`, jest controls the
 * terminal; with `--full`, campaigns of attacks have their full size; with `--record`, the list of slow files is
 * written from this run.
 */
const args = splitArguments(process.argv.slice(2));
const jest = resolve(WORKSPACE_ROOT, 'node_modules/jest/bin/jest.js');
/** Time limit of a run: one that hangs must end by itself with a message, instead of having to be interrupted. */
const LIMIT_MS = 80 * 60_000;
/**
 * Maximum time for jest to exit after it has written its report; resources that a failed test left open can keep it
 * running forever.
 */
const EXIT_MS = 20_000;

if (args.isInteractive) {
  const [status] = (await once(startJest('inherit'), 'exit')) as [number | null];
  process.exitCode = status ?? 1;
} else await runOnce();

function startJest(stdio: StdioOptions, own: readonly string[] = [], timeout?: number) {
  return spawn(process.execPath, [...args.node, jest, ...own, ...args.jest], {
    cwd: WORKSPACE_ROOT,
    stdio,
    timeout,
    env: {
      ...process.env,
      // With the setting that leaves out packages of developers (.npmrc), npm sets NODE_ENV to production, for which
      // React has no test utilities.
      NODE_ENV: 'test',
      ...(args.isFull ? { [FULL_CAMPAIGNS]: 'true' } : {}),
      // With this flag, jest runs the ES modules of the console's tests; the warning that it causes in each worker is
      // suppressed.
      NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
      // Hundreds of processes load the same files: only the first one strips types, compiles, and fills the cache.
      NODE_COMPILE_CACHE: resolve(WORKSPACE_ROOT, 'node_modules/.cache/node'),
    },
  });
}

async function runOnce(): Promise<void> {
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-test-report-'));
  const report = resolve(scratch, 'report.json');
  const run = startJest(['ignore', 'ignore', 'inherit'], ['--json', `--outputFile=${report}`], LIMIT_MS);
  const watch = setInterval(() => {
    if (!existsSync(report)) return;
    clearInterval(watch);
    setTimeout(() => {
      console.error('jest does not exit although every test has ended: a handle is still open; terminating jest');
      run.kill();
    }, EXIT_MS).unref();
  }, 1000);
  const [status] = (await once(run, 'exit')) as [number | null];
  clearInterval(watch);
  try {
    const {
      success,
      numPassedTests: passed,
      numFailedTests: failed,
      numFailedTestSuites: broken,
      testResults: files,
    } = JSON.parse(readFileSync(report, 'utf8')) as {
      success: boolean;
      numPassedTests: number;
      numFailedTests: number;
      numFailedTestSuites: number;
      testResults: readonly FileReport[];
    };
    if (args.isRecorded && success) recordSlowFiles(files);
    process.exitCode = status ?? (success ? 0 : 1);
    if (broken > 0) console.log(`test files with failures: ${broken}`);
    console.log(`${passed} passed, ${failed} failed`);
  } catch {
    console.error('jest ended before it wrote its report');
    process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
