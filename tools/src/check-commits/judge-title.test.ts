import { judgeTitle } from './judge-title.ts';

describe('the title of a commit', () => {
  it.each([
    'fix(api-gateway): read endless answers of models in turns (LIM-84)',
    'feat(tools, console): list the next five due times',
    'docs: keep the database schema in force in docs/schema',
    'feat!: drop the setting FLOW_MODELS',
    'perf(search): embed questions once',
    'Merge branch "feature"',
    'Revert "fix: read it once"',
  ])('is accepted: %s', (title) => {
    expect(judgeTitle(title)).toBeUndefined();
  });

  it.each([
    ['fix: what a provider is left alone for does not depend on it', 'begins with "what"'],
    ['docs: the list of settings', 'begins with "the"'],
    ['fix(search): fixed a crash', 'begins with "fixed"'],
    ['feat: adding schedules', 'begins with "adding"'],
    ['read endless answers in turns', 'Conventional Commits'],
    ['feat(api-gateway) add schedules', 'Conventional Commits'],
    ['fix: read it once.', 'full stop'],
    [`fix: ${'read '.repeat(20)}`, 'has 105 characters'],
  ])('is refused: %s', (title, reason) => {
    expect(judgeTitle(title)).toContain(reason);
  });
});
