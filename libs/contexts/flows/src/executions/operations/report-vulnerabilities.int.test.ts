import { newId } from '@steward/crypto';
import { createEndpoint } from '@steward/webhooks';
import { useOpened } from '@steward/testing';
import { openFlows } from '../../testing/open-flows.ts';
import { REPORTABLE } from '../../testing/vulnerability.ts';
import { finishExecution } from './finish-execution.ts';

const suite = useOpened(openFlows);

const RESULT = { vulnerabilities: [REPORTABLE] };

describe('the report of a run', () => {
  const startReporting = async () => {
    const accountId = newId();
    const endpoint = { accountId, url: 'https://receiver.example.test/', description: '', eventTypes: [] };
    await suite().write((trx) => createEndpoint(trx, endpoint, suite().boxes.webhook));
    const flow = await suite().addFlow({ reporting: { cra: true } }, accountId);
    await suite().start(flow);
    const claimed = await suite().claim();
    if (claimed === undefined) throw new Error('nothing to claim');
    return { flow, lease: claimed.lease };
  };
  const finish = (lease: { readonly executionId: string; readonly token: string }) => {
    const end = { status: 'SUCCEEDED', failureCategory: null, errorMessage: null, result: RESULT } as const;
    const now = suite().clock.now();
    return suite().run((trx, hints) => finishExecution(trx, hints, lease, { ...end, now }, suite().options));
  };
  const countReports = async (accountId: string) => {
    const text = `select id from webhooks.event where account_id = $1 and type = 'cra.reportable_vulnerability'`;
    return (await suite().query(text, [accountId])).length;
  };

  it('is sent once, however often its end is written (CRA-2)', async () => {
    const { flow, lease } = await startReporting();
    const ends = await Promise.all([finish(lease), finish(lease), finish(lease)]);
    expect(ends.map(({ kind }) => kind).sort()).toEqual(['finished', 'lost', 'lost']);
    expect((await finish(lease)).kind).toBe('lost');
    expect(await countReports(flow.account_id)).toBe(1);
  });

  it('uses the setting of the flow at the time of the trigger (CRA-1)', async () => {
    const { flow, lease } = await startReporting();
    await suite().query('update flows.flow set reporting = null where id = $1', [flow.id]);
    await finish(lease);
    expect(await countReports(flow.account_id)).toBe(1);
  });
});
