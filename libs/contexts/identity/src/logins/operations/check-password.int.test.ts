import { DAY, later, LIMITS, NOW, PASSWORD, signer, useIdentity } from '../../testing/open-identity.ts';
import type { User } from '../../users/rules/user.ts';
import { login } from './login.ts';

const identity = useIdentity();
let hosts = 0;
/** Returns a new address for each call. */
const nextAddress = () => `198.51.100.${(hosts += 1)}`;

const attempt = (name: string, password: string, addressKey: string, at = NOW, failuresPerMinute = 3) =>
  login(
    { db: identity().db, signer, now: () => at },
    { login: name, password, addressKey },
    { ...LIMITS, failuresPerMinute },
  );
/** Makes wrong attempts one after the other; returns their outcomes. */
async function guess(times: number, { username }: User, addressKey: string, at = NOW): Promise<string[]> {
  const kinds: string[] = [];
  for (let index = 0; index < times; index += 1)
    kinds.push((await attempt(username, `guess ${index}`, addressKey, at)).kind);
  return kinds;
}

describe('guessing the password of a user (ACC-14)', () => {
  it('is refused after the allowed number of failures from one address, even with the correct password, for the rest of the minute', async () => {
    const owner = await identity().addAccount();
    const address = nextAddress();
    expect(await guess(4, owner, address)).toEqual(['wrong', 'wrong', 'wrong', 'blocked']);
    expect(await attempt(owner.username, PASSWORD, address, later(20))).toEqual({
      kind: 'blocked',
      retryAfterSeconds: 40,
    });
    expect((await attempt(owner.username, PASSWORD, address, later(60))).kind).toBe('logged_in');
  });

  it('counts username, email and their spellings in other letter case as one name', async () => {
    const owner = await identity().addAccount();
    const address = nextAddress();
    for (const name of [owner.username, owner.email, owner.username.toUpperCase()])
      expect((await attempt(name, 'guess', address)).kind).toBe('wrong');
    expect((await attempt(owner.email.toUpperCase(), PASSWORD, address)).kind).toBe('blocked');
  });

  it('does not lock the user out if it comes from another address', async () => {
    const owner = await identity().addAccount();
    for (let host = 0; host < 2; host += 1) await guess(4, owner, nextAddress());
    expect((await attempt(owner.username, PASSWORD, nextAddress())).kind).toBe('logged_in');
  });

  it('with simultaneous attempts from one address gets no more attempts than sequentially', async () => {
    const owner = await identity().addAccount();
    const address = nextAddress();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => attempt(owner.username, `guess ${index}`, address)),
    );
    expect(outcomes.filter(({ kind }) => kind === 'wrong')).toHaveLength(3);
    expect(outcomes.filter(({ kind }) => kind === 'blocked')).toHaveLength(9);
  });

  it('counts only the failures, even with correct passwords in between', async () => {
    const owner = await identity().addAccount();
    const address = nextAddress();
    for (let round = 0; round < 2; round += 1) {
      expect(await guess(1, owner, address)).toEqual(['wrong']);
      for (let index = 0; index < 4; index += 1)
        expect((await attempt(owner.username, PASSWORD, address)).kind).toBe('logged_in');
    }
    expect(await guess(2, owner, address)).toEqual(['wrong', 'blocked']);
  });
});

describe('guessing from one address (ACC-14)', () => {
  it('with many names is refused after five times as many failures', async () => {
    const { accountId } = await identity().addAccount();
    const address = nextAddress();
    const kinds: string[] = [];
    for (let person = 0; person < 6; person += 1)
      kinds.push(...(await guess(3, await identity().addUser(accountId), address)));
    expect(kinds.filter((kind) => kind === 'wrong')).toHaveLength(15);
    const honest = await identity().addUser(accountId);
    expect((await attempt(honest.username, PASSWORD, address)).kind).toBe('blocked');
    expect((await attempt(honest.username, PASSWORD, nextAddress())).kind).toBe('logged_in');
  });

  it('counts unknown names like existing ones, and returns the same response (ACC-8)', async () => {
    const address = nextAddress();
    const kinds: string[] = [];
    for (const name of ['nobody-here', 'Nobody-Here', 'NOBODY-HERE', 'nobody-here'])
      kinds.push((await attempt(name, 'guess', address)).kind);
    expect(kinds).toEqual(['wrong', 'wrong', 'wrong', 'blocked']);
  });
});

describe('guessing one name from many addresses (ACC-14)', () => {
  /** Uses up the budget of the name over all addresses, which is five times three attempts. */
  const exhaust = async (user: User, at = NOW) => {
    const kinds: string[] = [];
    for (let host = 0; host < 6; host += 1) kinds.push(...(await guess(3, user, nextAddress(), at)));
    expect(kinds.filter((kind) => kind === 'wrong')).toHaveLength(15);
  };

  it('is refused after five times as many, except at addresses with an active login', async () => {
    const owner = await identity().addAccount();
    const [home, abroad] = [nextAddress(), nextAddress()];
    await identity().logIn(owner, NOW, home);
    await exhaust(owner);
    expect((await attempt(owner.username, PASSWORD, abroad)).kind).toBe('blocked');
    expect((await attempt(owner.username, PASSWORD, home)).kind).toBe('logged_in');
  });

  it('counts again at an address whose login has ended', async () => {
    const owner = await identity().addAccount();
    const home = nextAddress();
    await identity().logIn(owner, NOW, home);
    // After seven days without a refresh the login has expired, but its row remains until the purge.
    const after = later(7 * DAY);
    await exhaust(owner, after);
    expect((await attempt(owner.username, PASSWORD, home, after)).kind).toBe('blocked');
  });

  it('is not allowed because of another user’s login at the same address', async () => {
    const owner = await identity().addAccount();
    const neighbour = await identity().addUser(owner.accountId);
    const shared = nextAddress();
    await identity().logIn(neighbour, NOW, shared);
    await exhaust(owner);
    expect((await attempt(owner.username, PASSWORD, shared)).kind).toBe('blocked');
  });
});
