import { deterministicId } from '@steward/crypto';
import { useFlows } from '../../../testing/flow-tests.ts';

const { admin, create, gateway, token, viewer } = useFlows();

const ENTRY = {
  cve: 'CVE-2024-10001',
  actively_exploited: true,
  exploited_evidence: 'Listed.',
  affected: { affected: true },
  vex_status: 'affected',
  discovered_at: '2024-03-30T12:00:00+01:00',
  assessment: 'Reachable.',
};
const PASSWORD = 'canary-Hunter2-of-an-audit';

/** Creates an execution of a flow that reports vulnerabilities, completed by its worker with the result. */
async function endWith(result: unknown, reporting: object | null = { cra: true }): Promise<string> {
  const { body: flow } = await create({ reporting });
  const { body } = await gateway().call('POST', `/api/v1/flows/${flow.id}/trigger`, { token: token(), body: {} });
  await admin().query(
    `update flows.execution set status = 'SUCCEEDED', result = $2, finished_at = '2024-04-01T00:00:00Z' where id = $1`,
    [body.execution_id, JSON.stringify(result)],
  );
  return body.execution_id as string;
}
const list = (id: string, query = '', as = token()) =>
  gateway().call('GET', `/api/v1/flows/executions/${id}/vulnerabilities${query}`, { token: as });

describe('the vulnerabilities of an execution', () => {
  it('are listed with the reason why each is reported or not (CRA-8)', async () => {
    const id = await endWith({
      vulnerabilities: [
        ENTRY,
        ENTRY,
        { ...ENTRY, cve: 'CVE-2024-10002', actively_exploited: 'unknown' },
        { ...ENTRY, cve: 'CVE-2024-10003', discovered_at: 'yesterday' },
        'nothing',
      ],
    });
    const { status, body } = await list(id, '', viewer());
    expect(status).toBe(200);
    expect(body.next_cursor).toBeNull();
    expect(body.items).toMatchObject([
      {
        index: 0,
        cve: 'CVE-2024-10001',
        reportable: true,
        reason: 'reportable',
        discovered_at: '2024-03-30T11:00:00.000Z',
        deadlines: {
          early_warning_24h: '2024-03-31T11:00:00.000Z',
          notification_72h: '2024-04-02T11:00:00.000Z',
          final_report_14d: '2024-04-13T11:00:00.000Z',
        },
        event_id: deterministicId('cra.reportable_vulnerability', id, 'CVE-2024-10001'),
      },
      { index: 1, reportable: false, reason: 'duplicate', deadlines: null, event_id: null },
      { index: 2, reportable: false, reason: 'exploitation_unknown' },
      { index: 3, reason: 'malformed', message: expect.stringContaining('"discovered_at" must match format') },
      { index: 4, cve: null, reason: 'malformed', message: 'The entry cannot be read: it is not an object.' },
    ]);
  });

  it('are returned in pages', async () => {
    const names = Array.from({ length: 5 }, (_, n) => `CVE-2024-${20_000 + n}`);
    const id = await endWith({ vulnerabilities: names.map((cve) => ({ ...ENTRY, cve })) });
    const found: string[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { body } = await list(id, query);
      found.push(...(body.items as { cve: string }[]).map(({ cve }) => cve));
      query = body.next_cursor === null ? '' : `?limit=2&cursor=${body.next_cursor}`;
    }
    expect(found).toEqual(names);
    expect((await list(id, '?cursor=nonsense')).body.detail).toMatchObject({ field: 'cursor' });
  });

  it('are listed, but not reported, for a flow with reporting off', async () => {
    const id = await endWith({ vulnerabilities: [ENTRY] }, null);
    expect((await list(id)).body.items).toMatchObject([{ reportable: false, reason: 'reporting_off' }]);
  });

  it('are empty if the result contains no list', async () => {
    for (const result of [null, 'text', { vulnerabilities: {} }])
      expect((await list(await endWith(result))).body).toEqual({ items: [], next_cursor: null });
  });

  it('contain nothing else from the surrounding result', async () => {
    const id = await endWith({ vulnerabilities: [{ ...ENTRY, cve: PASSWORD, assessment: PASSWORD }] });
    expect(JSON.stringify((await list(id)).body)).not.toContain(PASSWORD);
  });

  it('are evaluated on the unmasked result, even for readers who see it masked (CRA-8)', async () => {
    // Too long to be reported, but short enough once it is masked.
    const evidence = `export DB_PASSWORD=${PASSWORD}-${'x'.repeat(100)}\n`.repeat(70);
    const id = await endWith({ vulnerabilities: [{ ...ENTRY, exploited_evidence: evidence }] });
    const { items } = (await list(id, '', viewer())).body;
    expect(items).toMatchObject([{ reportable: false, reason: 'malformed', event_id: null }]);
    expect(items).toEqual((await list(id)).body.items);
    expect(JSON.stringify(items)).not.toContain(PASSWORD);
  });

  it('are not found in another account, or for an unknown execution', async () => {
    const id = await endWith({ vulnerabilities: [ENTRY] });
    const stranger = (await gateway().registerAccount()).accessToken;
    expect((await list(id, '', stranger)).status).toBe(404);
    expect((await list('0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b15')).status).toBe(404);
  });
});

describe('a flow with vulnerability reporting enabled', () => {
  it('is marked as such, and settings that prevent reporting are refused (CRA-1)', async () => {
    const { body: flow } = await create({ reporting: { cra: true } });
    expect(flow.reporting).toEqual({ cra: true });
    const patch = (reporting: unknown) =>
      gateway().call('PATCH', `/api/v1/flows/${flow.id}`, { token: token(), body: { reporting } });
    expect((await patch({ cra: false })).body.reporting).toEqual({ cra: false });
    expect((await patch(null)).body.reporting).toBeNull();
    expect((await patch({ cra: 'yes' })).status).toBe(422);
    expect((await patch({ nis2: true })).status).toBe(422);
  });
});
