import { listEntries } from './palette-entries.ts';

describe('the command palette', () => {
  it('finds the user’s screens by part of their name', () => {
    expect(listEntries('dead', ['view_policies'])[0]).toMatchObject({ href: '/event-webhooks/dead-letters' });
    expect(listEntries('', []).map(({ name }) => name)).toEqual(['Overview', 'Charts', 'API keys', 'Account']);
  });

  it('offers a search for any other text', () => {
    expect(listEntries(' "exit code" ', [])).toEqual([
      { name: 'Search for "exit code"', href: '/search?q=%22exit+code%22' },
    ]);
  });
});
