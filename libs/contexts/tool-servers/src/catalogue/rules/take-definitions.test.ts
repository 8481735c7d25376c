import { MAX_TOOLS, takeDefinitions } from './take-definitions.ts';

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const names = (listed: Parameters<typeof takeDefinitions>[0]) =>
  takeDefinitions(listed).taken.map(({ definition }) => definition.name);

describe('the accepted part of a server’s list (MCP-6)', () => {
  it('contains every tool, with a hash that depends on any change but not on the order of keys', () => {
    const [a, b, c] = takeDefinitions([
      tool('a', { description: 'x', annotations: { readOnlyHint: true } }),
      tool('b', { description: 'x' }),
      tool('c', { description: 'y' }),
    ]).taken;
    expect(takeDefinitions([{ description: 'x', inputSchema: { type: 'object' }, name: 'b' }]).taken[0]?.hash).toEqual(
      b?.hash,
    );
    expect(new Set([a, b, c].map((taken) => taken?.hash.toString('hex'))).size).toBe(3);
  });

  it.each([
    ['a name the protocol does not allow', [tool('a b'), tool('ok')], 'does not allow'],
    ['a name that is listed twice', [tool('ok'), tool('ok', { description: 'z' })], 'more than once'],
    ['a huge description', [tool('big', { description: 'x'.repeat(200_000) }), tool('ok')], '128 KiB'],
  ])('does not contain %s', (_what, listed, fault) => {
    expect([names(listed), takeDefinitions(listed).fault]).toEqual([['ok'], expect.stringContaining(fault)]);
  });

  it('is limited to the first five hundred (LIM-61)', () => {
    const listed = Array.from({ length: MAX_TOOLS + 1 }, (_, index) => tool(`t${index}`));
    expect(names(listed)).toHaveLength(MAX_TOOLS);
    expect(takeDefinitions(listed).fault).toContain('500');
    expect(takeDefinitions(listed.slice(1)).fault).toBeNull();
  });
});
