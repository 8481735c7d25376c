import {
  eventually,
  isTriedToday,
  preparePackedBombs,
  QUICK_BOMB_KINDS,
  startBombServer,
  type BombServer,
} from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';
import { useGatewayProcess } from '../../../testing/use-gateway-process.ts';

let bombs: BombServer;
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
});
afterAll(() => bombs.close());
const people = usePeople({});
const gateway = useGatewayProcess(people, () => ({
  MCP_ALLOW_INSECURE_URLS: bombs.origin,
  ACCOUNT_RATE_PER_MINUTE: '1000000',
}));
const MAX_GROWN_MB = 100;
const AT_ONCE = 5;
/** Number of days within which every kind is tested. */
const DAYS = 3;
const KINDS = QUICK_BOMB_KINDS.filter((_kind, number) => isTriedToday(number, DAYS));

describe('malicious tool servers (LIM-80, LIM-71)', () => {
  it.each(KINDS)('do not delay others or exhaust memory when five are called at once: %s', async (kind) => {
    const [owner, other] = [await people.register(), await people.register()];
    const add = async (name: string, url: string): Promise<string> => {
      const answer = await gateway.send('POST', '/mcp-servers', owner.accessToken, { name, url, enabled: false });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { id: string }).id;
    };
    const refresh = async (id: string) => {
      const answer = await gateway.send('POST', `/mcp-servers/${id}/refresh`, owner.accessToken);
      return (await answer.json()) as { status: string; last_error: string | null };
    };
    const good = await add('good', bombs.toolServerUrl(kind, 'tools/call'));
    expect(await refresh(good)).toMatchObject({ status: 'ok' });
    const bad = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => add(`bad${index}`, bombs.toolServerUrl(kind, 'tools/list'))),
    );
    const before = gateway.readPeakMb();
    const all = Promise.all(bad.map(refresh));
    await gateway.expectNoWait(other.accessToken, all);
    const grownMb = gateway.readPeakMb() - before;
    for (const { last_error: error } of await all) {
      if (kind === 'many tools') expect(error).toContain('tools beyond the first 500 are omitted');
      else if (kind === 'wide tool') expect(error).toContain('exceeds 128 KiB');
      else
        expect(error).toMatch(
          /compressed|larger than 4 MiB|more than \d+ (members|events)|deeper than|headers are too/,
        );
    }
    expect(grownMb).toBeLessThan(MAX_GROWN_MB);
  });
});

it('an account can call at most five of its servers at once, independently of other accounts (LIM-71)', async () => {
  const [owner, other] = [await people.register(), await people.register()];
  const add = async ({ accessToken }: { readonly accessToken: string }) => {
    const fields = { name: 'slow', url: bombs.urlOf('silence'), enabled: false };
    const answer = await gateway.send('POST', '/mcp-servers', accessToken, fields);
    return `/mcp-servers/${((await answer.json()) as { id: string }).id}/refresh`;
  };
  const [own, foreign] = [await add(owner), await add(other)];
  const before = bombs.state.requests;
  const leaving = new AbortController();
  const open = (path: string, token: string) =>
    fetch(`${gateway.url()}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    }).catch(() => undefined);
  const six = Array.from({ length: 6 }, () => open(own, owner.accessToken));
  const theirs = open(foreign, other.accessToken);
  // The others wait for a server that does not respond.
  expect((await Promise.race([...six, theirs]))?.status).toBe(429);
  await eventually(() => bombs.state.requests >= before + 2);
  leaving.abort();
  await Promise.all([...six, theirs]);
});
