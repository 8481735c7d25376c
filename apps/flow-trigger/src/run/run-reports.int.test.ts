import { deterministicId } from '@steward/crypto';
import { startHttpReceiver } from '@steward/testing';
import { useEvents } from '../testing/use-events.ts';
import { useWorker } from '../testing/use-worker.ts';

const TYPE = 'cra.reportable_vulnerability';

const ENTRY = {
  cve: 'CVE-2024-10001',
  actively_exploited: true,
  exploited_evidence: 'Listed in the catalogue.',
  affected: { affected: true, product: 'edge-router' },
  vex_status: 'affected',
  discovered_at: '2024-02-28T07:30:00+01:00',
  assessment: 'Reachable from the management port.',
  kev_snapshot_date: '2024-02-27',
  kev_source_url: 'https://kev.example.test/catalogue.json',
};

describe('vulnerabilities in the result of a run', () => {
  const worker = useWorker();
  const readEvents = useEvents(worker);

  /** Runs an audit that writes the given result. */
  const audit = async (result: unknown, { reporting = { cra: true } as object | null, then = '' } = {}) => {
    const flow = await worker().createFlow(`cat > result.json <<'RESULT'\n${JSON.stringify(result)}\nRESULT\n${then}`, {
      reporting,
    });
    const ended = await worker().waitForEnd((await worker().trigger(flow)).id);
    return { ended, events: await readEvents(TYPE, ended), log: await worker().readLog(ended) };
  };

  it('are each reported once if they are exploited and affect the product; others are not reported (CRA-1, CRA-2, EVT-23)', async () => {
    const { ended, events } = await audit({
      vulnerabilities: [
        ENTRY,
        { ...ENTRY, cve: 'CVE-2024-10002', affected: { affected: 'undetermined' } },
        { ...ENTRY, cve: 'CVE-2024-10003', actively_exploited: false },
        { ...ENTRY, cve: 'cve-2024-10001' },
      ],
    });
    expect(ended.status).toBe('SUCCEEDED');
    expect(events).toEqual([
      expect.objectContaining({
        id: deterministicId(TYPE, ended.id, ENTRY.cve),
        occurred_at: '2024-02-28T06:30:00.000Z',
        data: {
          ...ENTRY,
          execution_id: ended.id,
          flow_id: ended.flow_id,
          flow_name: ended.flow_name,
          discovered_at: '2024-02-28T06:30:00.000Z',
          status: 'reportable',
          deadlines: {
            early_warning_24h: '2024-02-29T06:30:00.000Z',
            notification_72h: '2024-03-02T06:30:00.000Z',
            final_report_14d: '2024-03-13T06:30:00.000Z',
          },
          not_a_legal_determination: true,
          filing_is_manufacturer_responsibility: true,
        },
      }),
    ]);
  });

  it.each([
    ['is not a list', { vulnerabilities: 'none' }, 'has no list "vulnerabilities"'],
    ['is missing', { summary: 'all is well' }, 'has no list "vulnerabilities"'],
    ['names no CVE', { vulnerabilities: [{ ...ENTRY, cve: 'GHSA-1' }] }, '"cve" is not a CVE id'],
    [
      'has a time without an offset',
      { vulnerabilities: [{ ...ENTRY, discovered_at: '2024-02-28T07:30:00' }] },
      '"discovered_at" must match format',
    ],
    [
      'has a discovery time in the future',
      { vulnerabilities: [{ ...ENTRY, discovered_at: '2999-01-01T00:00:00Z' }] },
      'is after the end of the run',
    ],
  ])('leave the result unchanged and add a line to the log if their list %s (CRA-4)', async (_what, result, line) => {
    const { ended, events, log } = await audit(result);
    expect([ended.status, ended.failure_category]).toEqual(['SUCCEEDED', null]);
    expect(ended.result).toEqual(result);
    expect(events).toEqual([]);
    expect(log).toContain(line);
  });

  it('are logged even if the log is full', async () => {
    await worker().replaceWorker({ FLOW_MAX_LOG_BYTES: '10000' });
    const { log } = await audit({ vulnerabilities: [ENTRY] }, { then: 'yes "a line of output" | head -c 20000' });
    expect(log).toContain('[log capped by Steward');
    expect(log).toContain('(CVE-2024-10001) is reported; early warning by 2024-02-29T06:30:00.000Z');
    await worker().replaceWorker({});
  });

  it.each([
    ['a flow that does not report', { reporting: null }, 'SUCCEEDED'],
    ['a flow that reports something else', { reporting: { cra: false } }, 'SUCCEEDED'],
    ['a run that failed', { then: 'exit 1' }, 'FAILED'],
  ])('are not reported by %s (CRA-1, CRA-5)', async (_who, how, status) => {
    const { ended, events } = await audit({ vulnerabilities: [ENTRY] }, how);
    expect([ended.status, events]).toEqual([status, []]);
  });

  it('are reported only to subscribers of the account (CRA-7)', async () => {
    const authority = await startHttpReceiver();
    const entry = { ...ENTRY, kev_source_url: `${authority.url}/catalogue.json` };
    const { events } = await audit({ vulnerabilities: [entry] });
    expect(events[0]?.data).toMatchObject({
      kev_source_url: entry.kev_source_url,
      not_a_legal_determination: true,
      filing_is_manufacturer_responsibility: true,
    });
    expect(authority.requests).toEqual([]);
    await authority.close();
  });
});
