import { newId } from '@steward/crypto';
import { START } from './testing/build-call.ts';
import { openModelCalls, type OpenModelCalls } from './testing/open-model-calls.ts';

let opened: OpenModelCalls;
beforeAll(async () => {
  opened = await openModelCalls();
  opened.setClock(START);
});
afterAll(() => opened.close());

const bookInBoth = () => Promise.all(opened.embeddings.map((each) => each.book()));
/** Reads the spend of each budget of an account, newest first. */
const readUsd = async (accountId: string) =>
  (await opened.readLedger(accountId)).map(({ said, counted }) => [
    Number(said.spent) / 1e12,
    Number(counted.spent) / 1e12,
  ]);

describe('the spend of search on embeddings (BUD-2)', () => {
  it('is recorded as usage of its account and counts towards its budgets, once for each call, by any process (USE-7)', async () => {
    const accountId = newId();
    await opened.addBudget(accountId);
    await opened.addBudget(accountId, { modelAlias: 'vectors-small' });
    await opened.addBudget(accountId, { modelAlias: 'vectors-large' });
    const note = (costUsd: string) => opened.noteEmbedding(accountId, newId(), { source: 'provider', costUsd });
    await Promise.all(Array.from({ length: 450 }, () => note('0.0005')));
    await Promise.all([bookInBoth(), bookInBoth()]);
    await note('0.1');
    await bookInBoth();
    expect(await readUsd(accountId)).toEqual([
      [0, 0],
      [0.325, 0.325],
      [0.325, 0.325],
    ]);
    const rows = await opened.listUsage(accountId);
    expect(rows).toHaveLength(451);
    expect(rows[0]).toMatchObject({
      ...{ modelId: null, modelAlias: 'vectors-small', provider: 'generic_compatible', endpoint: 'embeddings' },
      ...{
        status: 'ok',
        inputTokens: 70,
        outputTokens: 0,
        usageSource: 'provider',
        priceSource: 'custom',
        stream: false,
      },
      ...{ occurredAt: START, apiKeyId: null, flowId: null, runtimeSessionId: null },
    });
  });

  it('is assumed if the process of a call died, and replaced by a later report', async () => {
    const accountId = newId();
    await opened.addBudget(accountId);
    const callId = newId();
    const note = (source: string, costUsd: string) => opened.noteEmbedding(accountId, callId, { source, costUsd });
    await note('assumed', '0.01');
    await bookInBoth();
    expect(await readUsd(accountId)).toEqual([[0.01, 0.01]]);
    await note('provider', '0.004');
    await bookInBoth();
    expect(await readUsd(accountId)).toEqual([[0.004, 0.004]]);
    // A later assumption does not change it either.
    await note('assumed', '0.01');
    await bookInBoth();
    expect(await readUsd(accountId)).toEqual([[0.004, 0.004]]);
  });
});
