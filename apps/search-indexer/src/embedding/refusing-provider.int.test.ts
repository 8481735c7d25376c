import { eventually } from '@steward/testing';
import { makeTexts, useEmbedding } from '../testing/use-embedding.ts';

const tests = useEmbedding();

describe('a provider that refuses everything (EMB-17)', () => {
  const refuseAll = () => tests.provider.respondWith((_call, response) => void response.writeHead(400).end());
  const countFailures = async (accountId: string): Promise<number> => {
    const [work] = await tests.query<{ failures: number }>(
      'select failures from search.embedding_work where account_id = $1',
      [accountId],
    );
    return work?.failures ?? 0;
  };
  const untilStopped = (accountId: string) =>
    eventually(async () => {
      await tests.letTimePass();
      return (await tests.read(accountId)).setting.degradedReason === 'semantic_provider_misconfigured';
    });
  /** Waits until texts are embedded, and ends pauses: the last refused call may pause the account once more. */
  const untilEmbedded = (accountId: string, count: number) =>
    eventually(async () => {
      await tests.letTimePass();
      return (await tests.countEmbedded(accountId)) === count;
    });
  /** Waits for twice the number of failures after which a text would be set aside if it were the cause. */
  async function untilAskedAgain(accountId: string): Promise<void> {
    const failures = await countFailures(accountId);
    for (let more = 1; more <= 6; more += 1) {
      await tests.letTimePass();
      await eventually(async () => (await countFailures(accountId)) >= failures + more);
    }
  }

  it.each([1, 40])('pauses the account but sets none of its %i texts aside; a save resumes it', async (count) => {
    refuseAll();
    const accountId = await tests.addAccount(makeTexts(count));
    await tests.startIndexer();
    await untilStopped(accountId);
    await untilAskedAgain(accountId);
    expect((await tests.read(accountId)).corpus).toMatchObject({ pending: count, failed: 0 });
    tests.provider.respondWith(undefined);
    await tests.save(accountId, { apiKey: 'another-key' });
    await untilEmbedded(accountId, count);
    await eventually(async () => (await tests.read(accountId)).setting.degradedReason === null);
  });

  /** Embeds this many texts of an account, then refuses that many more. */
  async function stopAfter(embedded: number, more: number): Promise<string> {
    const accountId = await tests.addAccount(makeTexts(embedded));
    await tests.startIndexer();
    await tests.untilEmbedded(accountId, embedded);
    refuseAll();
    await tests.indexer.insertTexts(accountId, makeTexts(more, 'later'));
    await untilStopped(accountId);
    return accountId;
  }

  it('also pauses the account if it embedded texts before, and the work resumes automatically when it embeds again', async () => {
    const accountId = await stopAfter(20, 20);
    await untilAskedAgain(accountId);
    expect((await tests.read(accountId)).corpus).toMatchObject({ embedded: 20, pending: 20, failed: 0 });
    tests.provider.respondWith(undefined);
    await untilEmbedded(accountId, 40);
    await eventually(async () => (await tests.read(accountId)).setting.degradedReason === null);
  });

  it('is still recognized after a save without changes: no text is set aside after that either', async () => {
    const accountId = await stopAfter(10, 4);
    await tests.save(accountId, { dailyCapUsd: 3 });
    const before = tests.provider.calls.length;
    // Waits until there are more than three calls for each text.
    await eventually(async () => {
      await tests.letTimePass();
      return tests.provider.calls.length > before + 3 * 4;
    });
    expect((await tests.read(accountId)).corpus).toMatchObject({ pending: 4, failed: 0 });
  });

  // The second number is larger than a batch, so that at first only failing texts are known.
  it.each([5, 11])('is distinguished from one that refuses the first %i texts of a corpus', async (bad) => {
    tests.provider.respondWith((call, response) => {
      if (call.input.some((text) => text.startsWith('bad'))) response.writeHead(400).end();
      else tests.provider.answer(call, response);
    });
    const accountId = await tests.addAccount([...makeTexts(bad, 'bad'), ...makeTexts(15, 'good')]);
    await tests.startIndexer();
    await eventually(async () => {
      await tests.letTimePass();
      const { embedded, failed } = (await tests.read(accountId)).corpus;
      return embedded === 15 && failed === bad;
    });
    await eventually(async () => (await tests.read(accountId)).setting.degradedReason === null);
  });
});
