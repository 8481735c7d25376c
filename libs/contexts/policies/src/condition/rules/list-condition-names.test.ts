import { FUNCTIONS } from './condition-names.ts';
import { lintCondition } from './lint-condition.ts';
import { listConditionNames } from './list-condition-names.ts';

const names = listConditionNames();
const listOf = (kind: string): string[] => names.filter((each) => each.kind === kind).map(({ name }) => name);

describe('names of conditions, for editors (POL-36)', () => {
  it('are all functions that a condition may call', () => {
    const called = [...FUNCTIONS].filter((name) => /^[a-z]/i.test(name));
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(called));
  });

  it.each([...listOf('variable'), ...listOf('field')])('%s is known to the check', (name) => {
    expect(lintCondition(`dyn(${name}) == dyn(1)`).errors).toEqual([]);
  });

  it.each(listOf('operator'))('the operator %s is known to the check', (operator) => {
    const text = operator === '!' ? '!args.x' : `args.x ${operator} args.y`;
    expect(lintCondition(text).errors).toEqual([]);
  });

  it('are listed once and described without markup', () => {
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
    expect(names.filter(({ description }) => description === '')).toEqual([]);
  });
});
