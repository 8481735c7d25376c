import fc from 'fast-check';
import { REPORTABLE } from '../../testing/vulnerability.ts';
import { assessVulnerabilities, MAX_VULNERABILITIES, type EndedRun } from './assess-vulnerabilities.ts';
import { describeReport } from './describe-report.ts';

const runOf = (vulnerabilities: unknown, more: Partial<EndedRun> = {}): EndedRun => ({
  status: 'SUCCEEDED',
  result: { vulnerabilities },
  reporting: { cra: true },
  finished_at: new Date('2024-04-01T00:00:00Z'),
  ...more,
});
const assess = (change: object, more: Partial<EndedRun> = {}) => {
  const [assessed] = assessVulnerabilities(runOf([{ ...REPORTABLE, ...change }], more));
  return assessed!;
};

describe('the assessment of a vulnerability in an audit (CRA-1, CRA-3)', () => {
  it.each([
    ['both facts are stated', {}, 'reportable'],
    ['the evidence states it in an object', { affected: { affected: true, since: '1.4' } }, 'reportable'],
    ['it names what is affected, as VEX says', { affected: { product: 'router', versions: ['1.4'] } }, 'reportable'],
    [
      'it names what VEX still looks into',
      { affected: { product: 'a' }, vex_status: 'under_investigation' },
      'affected_unknown',
    ],
    ['it names no product', { affected: {} }, 'affected_unknown'],
    ['affected is undetermined', { affected: 'undetermined' }, 'affected_unknown'],
    ['affected is undetermined, in an object', { affected: { affected: null, product: 'a' } }, 'affected_unknown'],
    ['affected is missing', { affected: undefined }, 'affected_unknown'],
    ['the product is not affected', { affected: { affected: false } }, 'not_affected'],
    ['affected is a list', { affected: ['router'] }, 'malformed'],
    ['affected is another string', { affected: 'yes' }, 'malformed'],
    ['it is not exploited', { actively_exploited: false, affected: 'undetermined' }, 'not_exploited'],
    ['the exploitation is unknown', { actively_exploited: 'unknown' }, 'exploitation_unknown'],
    ['the exploitation is missing', { actively_exploited: undefined }, 'exploitation_unknown'],
    ['the exploitation is a string', { actively_exploited: 'true' }, 'malformed'],
    ['the exploitation is a number', { actively_exploited: 1 }, 'malformed'],
    ['the CVE is none', { cve: 'CVE-24-1' }, 'malformed'],
    ['there is no evidence', { exploited_evidence: undefined }, 'malformed'],
    ['the evidence is empty', { exploited_evidence: '' }, 'malformed'],
    ['the evidence is too long', { exploited_evidence: 'x'.repeat(8193) }, 'malformed'],
    ['affected is too large', { affected: { affected: true, list: 'x'.repeat(16_384) } }, 'malformed'],
    ['the time has no offset', { discovered_at: '2024-03-10T00:00:00' }, 'malformed'],
    ['the time is only a date', { discovered_at: '2024-03-10' }, 'malformed'],
    ['the day does not exist', { discovered_at: '2023-02-29T00:00:00Z' }, 'malformed'],
    ['the time is a leap second', { discovered_at: '2016-12-31T23:59:60Z' }, 'malformed'],
    ['the year is invalid', { discovered_at: '0000-01-01T00:00:00Z' }, 'malformed'],
    ['the time equals the end of the run', { discovered_at: '2024-04-01T02:00:00+02:00' }, 'reportable'],
    ['the time is after the end of the run', { discovered_at: '2024-04-01T00:00:00.001Z' }, 'malformed'],
  ])('%s: %j is %s', (_what, change, reason) => {
    const assessed = assess(change);
    expect([assessed.reason, assessed.report !== undefined]).toEqual([reason, reason === 'reportable']);
  });

  it.each([null, 1, 'CVE-2024-10001', [], [REPORTABLE]])('rejects an entry that is %j', (entry) => {
    expect(assessVulnerabilities(runOf([entry]))).toMatchObject([{ cve: null, reason: 'malformed' }]);
  });

  it('leads to reports only for successful runs of flows with reporting enabled (CRA-5)', () => {
    expect(assess({}, { reporting: null }).reason).toBe('reporting_off');
    expect(assess({}, { status: 'FAILED' }).reason).toBe('not_succeeded');
    expect(assessVulnerabilities(runOf([REPORTABLE], { finished_at: null }))).toEqual([]);
  });
});

describe('the deadlines (CRA-6)', () => {
  it.each([
    // This period includes the changes to and from daylight saving time in Berlin and New York, a leap day at the end
    // of February 2024, and none in 2023.
    ['2024-03-30T12:00:00+01:00', '2024-03-31T11:00:00.000Z', '2024-04-02T11:00:00.000Z', '2024-04-13T11:00:00.000Z'],
    ['2023-11-04T20:00:00-04:00', '2023-11-06T00:00:00.000Z', '2023-11-08T00:00:00.000Z', '2023-11-19T00:00:00.000Z'],
    ['2024-02-28T06:30:00Z', '2024-02-29T06:30:00.000Z', '2024-03-02T06:30:00.000Z', '2024-03-13T06:30:00.000Z'],
    ['2023-02-28T06:30:00Z', '2023-03-01T06:30:00.000Z', '2023-03-03T06:30:00.000Z', '2023-03-14T06:30:00.000Z'],
  ])('are 24 and 72 hours and 14 days later in UTC: %s', (discoveredAt, early, notification, final) => {
    const { report } = assess({ discovered_at: discoveredAt }, { finished_at: new Date('2025-01-01T00:00:00Z') });
    expect(report?.deadlines).toEqual({
      early_warning_24h: early,
      notification_72h: notification,
      final_report_14d: final,
    });
  });
});

describe('the vulnerabilities of one result', () => {
  const anyValue = fc.oneof(fc.constantFrom<unknown>(true, false, null, 'unknown', 1, {}), fc.jsonValue());
  const anyEntry = fc.record({
    ...Object.fromEntries(Object.entries(REPORTABLE).map(([key, value]) => [key, fc.constant<unknown>(value)])),
    cve: fc.constantFrom('CVE-2024-10001', 'cve-2024-10001', 'CVE-2024-10002', 'none'),
    actively_exploited: anyValue,
    affected: anyValue,
  });

  it('are reported once per CVE, and only if they are exploited and affect the product, whatever else the audit contains (CRA-2)', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyEntry, fc.jsonValue()), { maxLength: 20 }), (entries) => {
        const assessed = assessVulnerabilities(runOf(entries));
        expect(assessed.map(({ index }) => index)).toEqual(entries.map((_entry, index) => index));
        const reported = assessed.filter(({ report }) => report !== undefined);
        expect(new Set(reported.map(({ cve }) => cve)).size).toBe(reported.length);
        for (const { index } of reported)
          expect(entries[index]).toMatchObject({ actively_exploited: true, affected: expect.anything() as unknown });
      }),
    );
  });

  it('are reported according to the first valid entry; others with the same CVE are duplicates', () => {
    const entries = [{ ...REPORTABLE, affected: null }, REPORTABLE, { ...REPORTABLE, assessment: 'Again.' }];
    const reasons = assessVulnerabilities(runOf(entries)).map(({ reason }) => reason);
    expect(reasons).toEqual(['affected_unknown', 'reportable', 'duplicate']);
  });

  it('are examined up to a limit, and the number of the remaining ones is logged (LIM-63)', () => {
    const entries = Array.from({ length: MAX_VULNERABILITIES + 2 }, (_, n) => ({
      ...REPORTABLE,
      cve: `CVE-2024-${10000 + n}`,
    }));
    const assessed = assessVulnerabilities(runOf(entries));
    expect(assessed.filter(({ reason }) => reason === 'reportable')).toHaveLength(MAX_VULNERABILITIES);
    expect(assessed.slice(-2)).toMatchObject([{ reason: 'beyond_limit' }, { reason: 'beyond_limit' }]);
    const lines = describeReport(runOf(entries)).map(({ text }) => text);
    expect(lines.slice(-2)).toEqual([
      '2 more vulnerabilities are not examined',
      '200 of 202 vulnerabilities are reported',
    ]);
  });

  it('are not repeated in the log: an invalid entry is identified only by its index and rule', () => {
    const canary = 'canary-4711';
    const lines = describeReport(runOf([{ ...REPORTABLE, discovered_at: canary }, { cve: canary }, canary]));
    expect(lines).toHaveLength(4);
    expect(JSON.stringify(lines)).not.toContain(canary);
  });
});
