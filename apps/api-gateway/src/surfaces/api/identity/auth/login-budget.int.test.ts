import { usePeople } from '../../../../testing/people-tests.ts';

const BUDGET = 5;

describe('the limit on wrong passwords (ACC-14)', () => {
  const people = usePeople({ LOGIN_FAILURES_PER_MINUTE: String(BUDGET), TRUSTED_PROXIES: '127.0.0.1' });
  let addresses = 0;
  const freshAddress = (): string => `198.51.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;
  const attempt = (username: string, password: string, address: string) =>
    people.login(username, password, { 'x-forwarded-for': address });
  const inParallel = (count: number, run: (index: number) => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: count }, async (_, index) => (await run(index)).status));
  const countOf = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

  it('applies to any number of simultaneous attempts: of 120 attempts, no more than the limit are checked', async () => {
    const { username } = await people.register();
    const address = freshAddress();
    const statuses = await inParallel(120, (index) => attempt(username, `no ${index}`, address));
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([BUDGET, 120 - BUDGET]);
  });

  it('is shared by several processes', async () => {
    const { username } = await people.register();
    const twin = await people.gateway().startTwin();
    const address = freshAddress();
    const statuses = await inParallel(40, (index) =>
      (index % 2 === 0 ? people.gateway() : twin).call('POST', '/api/v1/auth/token/json', {
        body: { username, password: `no ${index}` },
        headers: { 'x-forwarded-for': address },
      }),
    );
    await twin.close();
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([BUDGET, 40 - BUDGET]);
  });

  it('applies to an address that tries many names', async () => {
    const address = freshAddress();
    const statuses = await inParallel(60, (index) => attempt(`nobody-${index}`, 'no', address));
    expect(countOf(statuses, 401)).toBe(BUDGET * 5);
    expect(countOf(statuses, 429)).toBe(60 - BUDGET * 5);
  });

  it('counts all addresses of an IPv6 network as one', async () => {
    const { username } = await people.register();
    const statuses: number[] = [];
    for (let host = 1; host <= BUDGET + 1; host += 1)
      statuses.push((await attempt(username, 'no', `2001:db8:7:7::${host}`)).status);
    expect(statuses).toEqual([...Array.from({ length: BUDGET }, () => 401), 429]);
    expect((await attempt(username, 'no', '2001:db8:7:8::1')).status).toBe(401);
  });

  it('is shared by the username and the email address of a user', async () => {
    const { username } = await people.register();
    const address = freshAddress();
    for (let index = 0; index < BUDGET; index += 1) {
      const name = index % 2 === 0 ? username : `${username}@EXAMPLE.test`;
      expect((await attempt(name, 'no', address)).status).toBe(401);
    }
    for (const name of [username, `${username}@example.test`])
      expect((await attempt(name, 'no', address)).status).toBe(429);
  });

  it('locks nobody out: guesses from one address are refused, but the owner can log in from another', async () => {
    const { username, password } = await people.register();
    const stranger = freshAddress();
    for (let index = 0; index < BUDGET; index += 1) await attempt(username, 'no', stranger);
    const refused = await attempt(username, password, stranger);
    expect([refused.status, refused.body.detail.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await attempt(username, password, freshAddress())).status).toBe(200);
  });

  it('is not used up by refused attempts, either for the name or for neighboring addresses', async () => {
    const { username, password } = await people.register();
    const address = freshAddress();
    await inParallel(80, () => attempt(username, 'no', address));
    expect((await attempt(username, password, freshAddress())).status).toBe(200);
    expect((await attempt('somebody-else', 'no', address)).status).toBe(401);
  });

  it('stops guesses from many addresses', async () => {
    const { username } = await people.register();
    const statuses: number[] = [];
    for (let index = 0; index < BUDGET * 5 + 3; index += 1)
      statuses.push((await attempt(username, 'no', freshAddress())).status);
    expect(countOf(statuses, 401)).toBe(BUDGET * 5);
  });

  it('stops guesses from many addresses without affecting active logins', async () => {
    const { username, password } = await people.register();
    const home = freshAddress();
    expect((await attempt(username, password, home)).status).toBe(200);
    for (let index = 0; index < BUDGET * 5; index += 1) await attempt(username, 'no', freshAddress());
    expect((await attempt(username, password, freshAddress())).status).toBe(429);
    expect((await attempt(username, password, home)).status).toBe(200);
  });

  it('is not used up by the correct password, whatever the number of simultaneous logins', async () => {
    const { username, password } = await people.register();
    const address = freshAddress();
    const statuses = await inParallel(4 * BUDGET, () => attempt(username, password, address));
    expect(countOf(statuses, 200)).toBe(4 * BUDGET);
    expect((await attempt(username, 'no', address)).status).toBe(401);
  });

  it('does not delay a legitimate login during a flood of guesses (LIM-21)', async () => {
    const [victim, honest] = [await people.register(), await people.register()];
    const flood = inParallel(80, (index) => attempt(victim.username, `no ${index}`, freshAddress()));
    expect((await attempt(honest.username, honest.password, freshAddress())).status).toBe(200);
    expect(countOf(await flood, 401)).toBe(BUDGET * 5);
  });
});
