import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  isTriedToday,
  preparePackedBombs,
  QUICK_BOMB_KINDS,
  startBombServer,
  type BombKind,
  type BombServer,
  type BombStage,
} from '@steward/testing';
import type { AskReport } from './testing/ask-tool-server.ts';

const ASK = resolve(import.meta.dirname, 'testing/ask-tool-server.ts');
const run = promisify(execFile);
const MAX_GROWN_MB = 100;
/**
 * Maximum time in milliseconds for which other work of the process may be blocked; the highest measured value was 130.
 */
const MAX_BLOCKED_MS = 500;
const HARMLESS: readonly BombKind[] = ['many tools', 'wide tool'];
const LIMIT =
  /compressed, which was not requested|larger than 4 MiB|more than 50000 members|deeper than 200 levels|more than (500|5000) events|headers are too large/;

let bombs: BombServer;
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
});
afterAll(() => bombs.close());

async function ask(kind: BombKind, stage: BombStage): Promise<AskReport> {
  const args = [ASK, bombs.toolServerUrl(kind, stage), stage === 'tools/list' ? 'list' : 'call'];
  return JSON.parse((await run(process.execPath, args)).stdout) as AskReport;
}

const STAGES: readonly BombStage[] = ['initialize', 'tools/list', 'tools/call'];
/** Number of days within which every case is tested. */
const DAYS = 3;
/** Cases: every oversized response as the response to a call, and some of each kind at earlier stages. */
const CASES = QUICK_BOMB_KINDS.flatMap((kind) =>
  STAGES.filter(
    (stage) => stage === 'tools/call' || ['gzip', 'endless pings', 'empty lists', 'wide tool'].includes(kind),
  ).map((stage) => [kind, stage] as const),
).filter((_case, number) => isTriedToday(number, DAYS));

describe('a malicious tool server (LIM-80)', () => {
  it.each(CASES)(
    'cannot make its caller exceed the limits of memory and time, and the error names the limit: %s at %s',
    async (kind, stage) => {
      const { error, grownMb, blockedMs } = await ask(kind, stage);
      if (!HARMLESS.includes(kind)) expect(error).toMatch(LIMIT);
      expect(grownMb).toBeLessThan(MAX_GROWN_MB);
      expect(blockedMs).toBeLessThan(MAX_BLOCKED_MS);
    },
  );
});
