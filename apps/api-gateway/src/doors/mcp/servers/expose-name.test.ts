import fc from 'fast-check';
import { exposeName } from './expose-name.ts';

const server = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/);
const tool = fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/);

describe('the name of a tool as agents see it (TOOL-15)', () => {
  it('is that of the server and its own', () => {
    expect(exposeName('db', 'query')).toBe('db__query');
    expect(exposeName('db', 'a__b')).toBe('db__a__b');
  });

  it('is at most 60 characters long, the same every time, and another for another tool', () => {
    expect(exposeName('warehouse', 'x'.repeat(100))).toBe(
      'warehouse__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_HASH'.replace(
        'HASH',
        exposeName('warehouse', 'x'.repeat(100)).slice(-8),
      ),
    );
    fc.assert(
      fc.property(server, tool, server, tool, (one, first, other, second) => {
        expect(exposeName(one, first).length).toBeLessThanOrEqual(60);
        expect(exposeName(one, first) === exposeName(other, second)).toBe(one === other && first === second);
      }),
    );
    expect(exposeName('warehouse', 'x'.repeat(128))).not.toBe(exposeName('warehouse', 'x'.repeat(127)));
  });
});
