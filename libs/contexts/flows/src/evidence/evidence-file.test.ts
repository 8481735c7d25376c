import { newId } from '@steward/crypto';
import type { EvidenceReceipt } from '@steward/contracts';
import { ageReceipt, isEvidenceKey, locateEvidence } from './evidence-file.ts';

describe('the key of an archive', () => {
  it('consists of account and artifact ids, and is recognized', () => {
    const [account, artifact] = [newId(), newId()];
    const key = locateEvidence(account, artifact);
    expect(key).toBe(`${account}/${artifact}.tar.gz`);
    expect(isEvidenceKey(key)).toBe(true);
  });

  it.each([
    ['..', 'a'],
    ['', ''],
    ['/etc', 'passwd'],
  ])('can consist only of ids: %s and %s are refused', (account, artifact) => {
    expect(() => locateEvidence(account, newId())).toThrow('must be UUIDs');
    expect(() => locateEvidence(newId(), artifact)).toThrow('must be UUIDs');
  });

  it.each([
    'notes.txt',
    `${newId()}.tar.gz`,
    `${newId()}/x.tar.gz`,
    `x/${newId()}.tar.gz`,
    `a/${newId()}/${newId()}.tar.gz`,
  ])('is distinguished from all other objects in a store: %s is never deleted', (key) => {
    expect(isEvidenceKey(key)).toBe(false);
  });
});

describe('a receipt', () => {
  const receipt = { status: 'available', retention_hours: 24 } as EvidenceReceipt;
  const finishedAt = new Date('2026-01-01T00:00:00Z');
  const after = (hours: number) => new Date(finishedAt.getTime() + hours * 3_600_000);

  it('expires after its retention period, whether or not the archive exists', () => {
    expect(ageReceipt(receipt, finishedAt, after(24)).status).toBe('available');
    expect(ageReceipt(receipt, finishedAt, after(24.001)).status).toBe('expired');
  });

  it.each<[string, EvidenceReceipt, Date | null]>([
    ['is retained forever', { ...receipt, retention_hours: 0 }, finishedAt],
    ['belongs to an execution that has not ended', receipt, null],
  ])('does not expire when it %s', (_what, given, ended) => {
    expect(ageReceipt(given, ended, after(10_000))).toBe(given);
  });
});
