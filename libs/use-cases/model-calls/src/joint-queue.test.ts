import { createJointQueue, type JointQueueOptions } from './joint-queue.ts';

type Accounts = ReadonlyMap<string, readonly number[]>;
type Outcomes = Awaited<ReturnType<JointQueueOptions<number, string>['run']>>;

const outcomesOf = (accounts: Accounts): Outcomes =>
  new Map([...accounts].map(([id, items]) => [id, items.map((item) => `together ${item}`)]));

function open(fields: Partial<JointQueueOptions<number, string>> = {}) {
  return createJointQueue<number, string>({
    run: (accounts) => Promise.resolve(outcomesOf(accounts)),
    runApart: (_, item) => Promise.resolve(`apart ${item}`),
    mayRunApart: () => false,
    ...{ attempts: 3, maxItems: 100, maxWaiting: 100, timeoutMs: 60_000 },
    ...fields,
  });
}

describe('the items of several accounts', () => {
  it('are processed by one statement, and get their outcomes in order', async () => {
    const statements: Accounts[] = [];
    const queue = open({
      run(accounts) {
        statements.push(accounts);
        return Promise.resolve(outcomesOf(accounts));
      },
    });
    const all = [queue.add('a', 1), queue.add('b', 2), queue.add('a', 3)];
    expect(await Promise.all(all)).toEqual(['together 1', 'together 2', 'together 3']);
    expect(statements).toHaveLength(1);
  });

  it('are processed apart at once if the statement has no outcome for them', async () => {
    const queue = open({ run: () => Promise.resolve(new Map([['a', ['together 1', undefined]]])) });
    expect(await Promise.all([queue.add('a', 1), queue.add('a', 2)])).toEqual(['together 1', 'apart 2']);
  });

  it('are tried again while the statement leaves out their account, then processed apart', async () => {
    const left = new Map([
      ['b', 2],
      ['c', 3],
    ]);
    const queue = open({
      run(accounts) {
        const outcomes = new Map(outcomesOf(accounts));
        for (const id of accounts.keys()) {
          const times = left.get(id) ?? 0;
          left.set(id, times - 1);
          if (times > 0) outcomes.delete(id);
        }
        return Promise.resolve(outcomes);
      },
    });
    const all = [queue.add('a', 1), queue.add('b', 2), queue.add('c', 3)];
    expect(await Promise.all(all)).toEqual(['together 1', 'together 2', 'apart 3']);
  });

  it('are processed apart if the statement failed and left nothing behind, and fail otherwise', async () => {
    const run = () => Promise.reject(new Error('failed'));
    const retried = open({ run, mayRunApart: () => true });
    expect(await Promise.all([retried.add('a', 1), retried.add('b', 2)])).toEqual(['apart 1', 'apart 2']);
    const unknown = open({ run });
    const all = await Promise.allSettled([unknown.add('a', 1), unknown.add('b', 2)]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('do not wait for a statement that gets no answer, but a drain does', async () => {
    const [begun, stuck] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const queue = open({
      async run(accounts) {
        if (accounts.has('stuck')) {
          begun.resolve();
          await stuck.promise;
        }
        return outcomesOf(accounts);
      },
    });
    const first = [queue.add('stuck', 1), queue.add('a', 2)];
    await begun.promise;
    expect(await Promise.all([queue.add('b', 3), queue.add('c', 4)])).toEqual(['together 3', 'together 4']);
    let isDrained = false;
    const drained = queue.drain().then(() => (isDrained = true));
    await queue.add('d', 5);
    expect(isDrained).toBe(false);
    stuck.resolve();
    await drained;
    expect(await Promise.all(first)).toEqual(['together 1', 'together 2']);
  });
});

it('refuses further items only of an account of which too many wait', async () => {
  const queue = open({ maxWaiting: 2 });
  const all = [queue.add('a', 1), queue.add('a', 2), queue.add('a', 3), queue.add('b', 4)];
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await queue.add('a', 5)).toBe('together 5');
});
