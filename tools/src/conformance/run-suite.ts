import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

/** Last version that supports both protocol revisions. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const SCENARIO_MS = 10_000;

/** Results by `scenario: check`, true if the check passed; skipped checks are omitted. */
export type SuiteOutcome = ReadonlyMap<string, boolean>;

/**
 * Runs the official suite against a server.
 * @throws if there is no result
 */
export async function runSuite(url: string, revision: string): Promise<SuiteOutcome> {
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-conformance-'));
  try {
    const options = ['--url', url, '--requirements', revision, '--timeout', String(SCENARIO_MS), '-o', directory];
    const suite = spawn('npx', ['--yes', SUITE, 'server', ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
    // The suite exits 1 if a check fails, which is ignored because only the difference matters.
    await once(suite, 'exit');
    const outcome = new Map<string, boolean>();
    for (const folder of readdirSync(directory)) {
      const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
      const checks = JSON.parse(readFileSync(resolve(directory, folder, 'checks.json'), 'utf8')) as SuiteCheck[];
      for (const { id, status } of checks) {
        if (status !== 'SUCCESS' && status !== 'FAILURE') continue;
        const name = `${scenario}: ${id}`;
        outcome.set(name, status === 'SUCCESS' && outcome.get(name) !== false);
      }
    }
    if (outcome.size === 0) throw new Error('the suite left no result');
    return outcome;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface SuiteCheck {
  readonly id: string;
  readonly status: string;
}
