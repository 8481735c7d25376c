import { isAllowed, listLicenses } from './list-licenses.ts';

describe('the licenses of packages', () => {
  it.each([
    ['MIT', true],
    ['(Apache-2.0 AND BSD-3-Clause)', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['GPL-3.0-only', false],
    ['(MIT AND AGPL-3.0-only)', false],
    ['SSPL-1.0', false],
    ['', false],
  ])('"%s" is allowed: %s', (license, expected) => {
    expect(isAllowed(license)).toBe(expected);
  });

  it('are read from identifiers, expressions and names, once for each package', () => {
    const component = { name: 'b', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] };
    expect(
      listLicenses({
        components: [
          component,
          component,
          { name: 'a', version: '2.0.0', licenses: [{ expression: '(MIT OR CC0-1.0)' }] },
          { name: 'c', version: '3.0.0', licenses: [{ license: { name: 'Custom' } }] },
          { name: 'd', version: '4.0.0' },
        ],
      }),
    ).toEqual([
      { name: 'a', version: '2.0.0', license: '(MIT OR CC0-1.0)' },
      { name: 'b', version: '1.0.0', license: 'MIT' },
      { name: 'c', version: '3.0.0', license: 'Custom' },
      { name: 'd', version: '4.0.0', license: '' },
    ]);
  });
});
