import { findScreen, listScreens, SCREENS } from './screens.ts';

describe('the screens in the navigation', () => {
  it.each([
    ['/agents', 'Agents'],
    ['/agents/0198', 'Agents'],
    ['/agents/discovered', 'Discovered'],
    ['/event-webhooks/endpoints/0198', 'Endpoints'],
    ['/welcome', undefined],
  ])('assign %s to the screen %s', (pathname, name) => {
    expect(findScreen(pathname)?.name).toBe(name);
  });

  it('are grouped', () => {
    const groups = SCREENS.map(({ group }) => group);
    expect(groups.filter((group, index) => group !== groups[index - 1])).toEqual([...new Set(groups)]);
  });

  it('are only those that the user may access', () => {
    expect(listScreens([]).map(({ name }) => name)).toEqual(['Overview', 'Charts', 'API keys', 'Account']);
    const ofAnAdministrator = (isOperator: boolean) =>
      listScreens(['manage_users'], isOperator).map(({ name }) => name);
    expect(ofAnAdministrator(false)).not.toContain('Health');
    expect(ofAnAdministrator(true)).toContain('Health');
  });
});
