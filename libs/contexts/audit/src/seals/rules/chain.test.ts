import { beginChain, extendChain } from './chain.ts';

const ENTRY = {
  id: '019a0000-0000-7000-8000-000000000001',
  occurred_at: '2026-11-28T12:00:00.000Z',
  actor: { kind: 'user', id: null },
  source: 'console',
  action: 'update',
  resource_type: 'flow',
  resource_id: null,
  status: 'success',
  details: { b: 1, a: ['é'] },
};

describe('the chain of the audit log (ACC-51)', () => {
  it('has the same digests that other programs compute', () => {
    // The digests come from Python 3: sha256(b'steward audit log a').hexdigest(), and json.dumps(sort_keys=True,
    // separators, ensure_ascii=False).
    const first = beginChain('a');
    expect(first.toString('hex')).toBe('38b4472f3c536600b1cac9aeac1066dd74fce226854585b9bda4c08ba8510fd3');
    expect(extendChain(first, [ENTRY]).toString('hex')).toBe(
      'ca156828c1ffe1912c408ec7c2041ead654962671c41d5177436d4f38c260774',
    );
  });

  it('depends on the order and on each field of entries, but not on the order of keys', () => {
    const start = beginChain('a');
    const { details: _details, ...rest } = ENTRY;
    const other = { ...ENTRY, id: '019a0000-0000-7000-8000-000000000002' };
    expect(extendChain(start, [{ details: { a: ['é'], b: 1 }, ...rest }])).toEqual(extendChain(start, [ENTRY]));
    expect(extendChain(start, [other, ENTRY])).not.toEqual(extendChain(start, [ENTRY, other]));
    expect(extendChain(extendChain(start, [ENTRY]), [other])).toEqual(extendChain(start, [ENTRY, other]));
    for (const changed of Object.keys(ENTRY))
      expect(extendChain(start, [{ ...ENTRY, [changed]: 'changed' }])).not.toEqual(extendChain(start, [ENTRY]));
  });
});
