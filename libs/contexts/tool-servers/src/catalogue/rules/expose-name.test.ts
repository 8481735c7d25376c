import fc from 'fast-check';
import { exposeName, findByName, listOtherNames } from './expose-name.ts';

const server = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/);
const tool = fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/);

describe('the name of a tool as agents see it (TOOL-15)', () => {
  it('consists of the names of server and tool', () => {
    expect(exposeName('db', 'query')).toBe('db__query');
    expect(exposeName('db', 'a__b')).toBe('db__a__b');
  });

  it('is valid for model APIs, leaves space for the name of the service, is stable, and is unique per tool', () => {
    expect(exposeName('warehouse', 'x'.repeat(100))).toBe(
      'warehouse__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_HASH'.replace(
        'HASH',
        exposeName('warehouse', 'x'.repeat(100)).slice(-8),
      ),
    );
    fc.assert(
      fc.property(server, tool, server, tool, (one, first, other, second) => {
        expect(exposeName(one, first)).toMatch(/^[a-zA-Z0-9_-]{1,50}$/);
        expect(exposeName(one, first) === exposeName(other, second)).toBe(one === other && first === second);
      }),
    );
    expect(exposeName('db', 'files.read')).not.toBe(exposeName('db', 'files_read'));
    expect(exposeName('db', 'files_read')).toBe('db__files_read');
    expect(exposeName('warehouse', 'x'.repeat(128))).not.toBe(exposeName('warehouse', 'x'.repeat(127)));
  });

  it('has further accepted forms if it differs from the tool’s own name', () => {
    const long = 'x'.repeat(100);
    expect(listOtherNames('db', 'query')).toEqual([]);
    expect(listOtherNames('db', 'files.read')).toEqual(['db__files.read']);
    expect(listOtherNames('db', 'x'.repeat(50))).toEqual([`db__${'x'.repeat(50)}`]);
    const former = `db__${'x'.repeat(47)}_${exposeName('db', long).slice(-8)}`;
    expect([former.length, listOtherNames('db', long)]).toEqual([60, [`db__${long}`, former]]);
  });

  it('is accepted, as is the server’s own name for the tool', () => {
    const tools = ['files.read', 'files_read', 'x'.repeat(90)].map((name) => ({
      server: 'db',
      name,
      definition: { name: exposeName('db', name) },
    }));
    for (const tool of tools) {
      expect(findByName(tools, tool.definition.name)).toBe(tool);
      for (const other of [`db__${tool.name}`, ...listOtherNames('db', tool.name)])
        expect(findByName(tools, other)).toBe(tool);
    }
    expect(findByName(tools, 'db__files')).toBeUndefined();
  });
});
