import {
  preparePackedBombs,
  QUICK_BOMB_KINDS,
  startBombServer,
  type BombKind,
  type BombServer,
} from '@steward/testing';
import type { AnswerLimits } from './answer-limits.ts';
import { classifyFailure } from './classify-failure.ts';
import { createGuardedFetch } from './create-guarded-fetch.ts';
import { createProviderPools } from './provider-pools.ts';

const LIMITS: AnswerLimits = {
  maxBytes: 1024 * 1024,
  maxValues: 1000,
  maxDepth: 200,
  maxEvents: 100,
  timeoutMs: 60_000,
};
const PACKED = 'the response is compressed, which was not requested';
const LARGE = 'the response is larger than 1 MiB';
const VALUES = 'the response contains more than 1000 members and entries';

let bombs: BombServer;
let pools: ReturnType<typeof createProviderPools>;
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
  pools = createProviderPools({ insecureOrigins: [bombs.origin], agent: { maxHeaderSize: 16 * 1024 } });
});
afterAll(async () => {
  await pools.close();
  await bombs.close();
});

/** Reads a response as a consumer without limits, and returns the received data and the error that ended it. */
async function read(kind: BombKind, limits: Partial<AnswerLimits> = {}) {
  const heard: string[] = [];
  const send = createGuardedFetch(pools);
  let given = 0;
  const reason = await (async () => {
    const onExcess = ({ message }: Error): void => void heard.push(message);
    const answer = await send(
      bombs.urlOf(kind),
      { method: 'POST', body: '{}' },
      { ...LIMITS, ...limits },
      { onExcess },
    );
    for await (const part of answer.body ?? []) given += part.byteLength;
    return undefined;
  })().catch((error: unknown) => classifyFailure(error).error);
  return { given, reason, heard };
}

const EXPECTED: Partial<Record<BombKind, string>> = {
  'empty lists': VALUES,
  'many members': VALUES,
  'many tools': VALUES,
  'wide tool': VALUES,
  'deep lists': 'the response is nested deeper than 200 levels',
  'endless text': LARGE,
  'endless values': VALUES,
  'endless events': 'the response has more than 100 events',
  'endless event': LARGE,
  'endless comments': LARGE,
  'endless pings': 'the response has more than 100 events',
  'large header': 'the response headers are too large',
};

describe('a response of another service (LIM-80, LIM-81)', () => {
  it.each(QUICK_BOMB_KINDS)('is aborted at a limit, and the error names it: %s', async (kind) => {
    const { given, reason, heard } = await read(kind);
    expect(reason).toBe(EXPECTED[kind] ?? PACKED);
    expect(given).toBeLessThanOrEqual(LIMITS.maxBytes);
    expect(heard).toEqual(kind === 'large header' ? [] : [reason]);
  });

  it.each<BombKind>(['slow text', 'slow events', 'silence'])('ends at its time limit: %s', async (kind) => {
    const { reason, heard } = await read(kind, { timeoutMs: 300 });
    expect([reason, heard]).toEqual(['the response takes longer than 0.3 s', ['the response takes longer than 0.3 s']]);
  });

  it('is unchanged within the limits, and no timer or listener remains afterwards', async () => {
    const send = createGuardedFetch(pools);
    const url = bombs.toolServerUrl('silence', 'tools/call');
    const body = JSON.stringify({ id: 1, method: 'tools/list' });
    const answer = await send(url, { method: 'POST', body }, LIMITS);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ id: 1, result: { tools: [{ name: 'boom' }] } });
    await expect(send('http://example.test/', {}, LIMITS)).rejects.toThrow('not https');
  });
});
