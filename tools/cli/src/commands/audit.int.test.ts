import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginChain, extendChain, type ChainedEntry } from '@steward/audit/chain';
import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const ACCOUNT = '019a0000-0000-7000-8000-00000000000a';
let folder: string;
let service: HttpReceiver | undefined;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'steward-audit-'))));
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await service?.close();
  service = undefined;
});

const entry = (at: number): ChainedEntry => ({
  id: `019a0000-0000-7000-8000-0000000000${String(at).padStart(2, '0')}`,
  occurred_at: '2026-11-28T12:00:00.000Z',
  actor: { kind: 'user', id: null },
  source: 'console',
  action: 'update',
  resource_type: 'flow',
  resource_id: null,
  status: 'success',
  details: { at },
});

/** Builds an export of seals with two entries each, numbered from the one following `after` up to `last`. */
function writeLog(last: number, after = 0): object[] {
  let digest = beginChain(ACCOUNT);
  let start = digest.toString('hex');
  const lines: object[] = [];
  for (let number = 1; number <= last; number += 1) {
    const entries = [entry(2 * number), entry(2 * number + 1)];
    const previous = digest.toString('hex');
    digest = extendChain(digest, entries);
    const seal = { number, entries: 2, previous_digest: previous, digest: digest.toString('hex') };
    if (number === after) start = digest.toString('hex');
    if (number > after) lines.push(...entries.map((one) => ({ record: 'entry', ...one })), { record: 'seal', ...seal });
  }
  const log = { record: 'log', account_id: ACCOUNT, after, digest: start };
  const end = { record: 'end', seals: last - after, entries: 2 * (last - after), unsealed: 0, unknown: 0 };
  return [log, ...lines, end];
}
const toText = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
function save(name: string, lines: readonly object[]): string {
  writeFileSync(join(folder, name), toText(lines));
  return join(folder, name);
}
const verify = (...args: readonly string[]) => runHere('http://127.0.0.1:9', ['audit', 'verify', ...args]);
const headOf = (printed: string) => /head (\d+:[\da-f]{64})/.exec(printed)?.[1] ?? '';

describe('steward audit verify', () => {
  it('verifies one export, several consecutive ones, and one that continues from a head', async () => {
    const whole = await verify(save('all', writeLog(3)));
    expect(whole).toMatch(/^6 entries: no entry was changed.*\nhead 3:[\da-f]{64}\n$/);
    const first = await verify(save('first', writeLog(1)));
    expect(await verify(save('1', writeLog(1)), save('2', writeLog(3, 1)))).toBe(whole);
    expect(headOf(await verify(save('rest', writeLog(3, 1)), '--head', headOf(first)))).toBe(headOf(whole));
    expect(await verify(save('all', writeLog(3)), '--head', headOf(first))).toBe(whole);
    expect(await verify(save('none', writeLog(0)))).toBe('The audit log has no seals yet.\n');
  });

  it.each<[string, (lines: object[]) => object[], RegExp]>([
    ['a changed entry', (l) => l.map((x, i) => (i === 1 ? { ...x, action: 'delete' } : x)), /An entry of seal 1 was/],
    ['a removed entry', (l) => l.toSpliced(1, 1), /Seal 1 covers 2 entries; entries found: 1/],
    [
      'an added entry',
      (l) => l.toSpliced(1, 0, { record: 'entry', ...entry(99) }),
      /covers 2 entries; entries found: 3/,
    ],
    ['entries in another order', (l) => [l[0], l[2], l[1], ...l.slice(3)] as object[], /An entry of seal 1 was/],
    ['a removed seal', (l) => l.toSpliced(4, 3), /Seal 2 is missing/],
    ['a log of another account', (l) => [{ ...l[0], account_id: 'b' }, ...l.slice(1)], /does not continue/],
    ['a missing end', (l) => l.slice(0, -1), /no "end" record/],
    [
      'a seal cut off',
      (l) => l.toSpliced(-4, 3),
      /states 3 seals and 6 entries, but the export contains 2 seals and 4 entries/,
    ],
    [
      'a row without a seal',
      (l) => [...l.slice(0, -1), { ...l.at(-1), unknown: 2 }],
      /Entries that the service did not add: 2 /,
    ],
    [
      'an entry after the last seal',
      (l) => l.toSpliced(-1, 0, { record: 'entry', ...entry(99) }),
      /contains entries after its last seal/,
    ],
    ['a missing beginning', (l) => l.slice(1), /beginning of the export is missing/],
  ])('finds %s', async (_what, change, problem) => {
    const printed = await verify(save('changed', change(writeLog(3))));
    expect(printed).toMatch(problem);
    expect(printed).toContain('exit 1');
  });

  it('detects by comparison with an earlier head that a log was rewritten or truncated', async () => {
    const head = `2:${'ab'.repeat(32)}`;
    expect(await verify(save('anew', writeLog(3)), '--head', head)).toMatch(
      /digest of seal 2 differs from the one given with --head.*\nexit 1/s,
    );
    const rest = save('rest', writeLog(3, 2));
    expect(await verify(rest, '--head', head)).toMatch(/digest of seal 2 differs from the one given with --head/);
    const late = headOf(await verify(save('late', writeLog(3))));
    expect(await verify(save('cut', writeLog(2)), '--head', late)).toMatch(
      /Seal 3, which was given with --head, is missing.*\nexit 1/s,
    );
  });

  describe('after retention removed entries (ACC-52)', () => {
    /** Builds the log after seal 2, in which the fourth seal contains the entry about the removal. */
    function writeRest(change: (details: object) => object = (details) => details): object[] {
      const whole = writeLog(2);
      const base = whole.at(-2) as { readonly digest: string };
      let digest: Buffer = Buffer.from(base.digest, 'hex');
      const lines: object[] = [];
      for (const number of [3, 4]) {
        const details = number === 4 ? change({ last_seal: 2, digest: base.digest }) : {};
        const prune = { action: 'prune', resource_type: 'audit_log', details };
        const entries = [entry(2 * number), { ...entry(2 * number + 1), ...(number === 4 ? prune : {}) }];
        const previous = digest.toString('hex');
        digest = extendChain(digest, entries);
        const seal = { number, entries: 2, previous_digest: previous, digest: digest.toString('hex') };
        lines.push(...entries.map((one) => ({ record: 'entry', ...one })), { record: 'seal', ...seal });
      }
      const log = {
        record: 'log',
        account_id: ACCOUNT,
        after: 2,
        digest: base.digest,
        removed: { seals: 2, entries: 4 },
      };
      return [log, ...lines, { record: 'end', seals: 2, entries: 4, unsealed: 0, unknown: 0 }];
    }

    it('verifies the remaining entries if a sealed entry confirms the removal, and reports how many were removed', async () => {
      expect(await verify(save('rest', writeRest()))).toMatch(
        /^4 entries: no entry was changed.* Older entries deleted at the end of their retention period: 4\.\nhead 4:[\da-f]{64}\n$/,
      );
    });

    it('continues from a head that is the last removed one or a later one, and from exports made before the removal', async () => {
      const head = headOf(await verify(save('before', writeLog(2))));
      const rest = save('rest', writeRest());
      const last = headOf(await verify(rest));
      expect(headOf(await verify(rest, '--head', head))).toBe(last);
      expect(headOf(await verify(rest, '--head', last))).toBe(last);
      expect(await verify(save('before', writeLog(2)), rest)).toMatch(/^8 entries: .* the last seal\.\nhead 4/);
    });

    it('refuses a head before the last removed one, a different head, and a removal that no entry confirms', async () => {
      const early = headOf(await verify(save('early', writeLog(1))));
      const rest = save('rest', writeRest());
      expect(await verify(rest, '--head', early)).toMatch(
        /Seal 1, which was given with --head, was removed by retention.*\nexit 1/s,
      );
      expect(await verify(rest, '--head', `2:${'ab'.repeat(32)}`)).toMatch(/differs from the one given with --head/);
      const forged = [() => ({}), () => ({ last_seal: 1 }), () => ({ last_seal: 2, digest: 'ab'.repeat(32) })];
      for (const change of forged)
        expect(await verify(save('forged', writeRest(change)))).toMatch(/no entry records that retention.*\nexit 1/s);
    });
  });

  it('refuses files that are not an export, a missing file, and a malformed head', async () => {
    writeFileSync(join(folder, 'text'), 'hello\n');
    await expect(verify(join(folder, 'text'))).rejects.toThrow('not an export of the audit log');
    await expect(verify(join(folder, 'missing'))).rejects.toThrow('cannot be read');
    await expect(verify('--head', 'abc')).rejects.toThrow('number of a seal');
  });

  it('uses the service if no file is given; an export is written to a file that only its owner can read', async () => {
    service = await startHttpReceiver((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.end(toText(writeLog(2)));
    });
    expect(await runHere(service.url, ['audit', 'verify'])).toMatch(/^4 entries/);
    const file = join(folder, 'export');
    await runHere(service.url, ['audit', 'export', '--output', file, '--after', '1']);
    expect(readFileSync(file, 'utf8')).toBe(toText(writeLog(2)));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/v1/audit-log/export',
      '/api/v1/audit-log/export?after=1',
    ]);
  });
});
