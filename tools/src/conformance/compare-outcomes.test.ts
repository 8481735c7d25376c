import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { compareOutcomes, EXCEPTIONS } from './compare-outcomes.ts';

const [EXCEPTION = ''] = Object.keys(EXCEPTIONS);
const DIRECT = new Map([
  ['tools: list', true],
  ['tools: call', true],
  ['resources: list', false],
  [EXCEPTION, true],
]);

describe('the official conformance suite through the gateway (MC-1)', () => {
  it('is accepted if it passes at least the checks that pass without the gateway', () => {
    expect(compareOutcomes(DIRECT, DIRECT)).toEqual({ lost: [], won: [], isAsGood: true });
    const better = new Map([...DIRECT, ['resources: list', true], ['origin: foreign', true]]);
    expect(compareOutcomes(DIRECT, better)).toEqual({
      ...{ lost: [], won: ['resources: list', 'origin: foreign'], isAsGood: true },
    });
  });

  it('is not accepted if such a check fails or was not run, regardless of other checks that pass', () => {
    const failed = new Map([...DIRECT, ['tools: call', false], ['resources: list', true]]);
    expect(compareOutcomes(DIRECT, failed)).toMatchObject({ lost: ['tools: call'], isAsGood: false });
    const missing = new Map([...DIRECT].filter(([name]) => name !== 'tools: list'));
    expect(compareOutcomes(DIRECT, missing)).toMatchObject({ lost: ['tools: list'], isAsGood: false });
  });

  it('may be worse only for checks with a documented reason, which are still reported', () => {
    const known = new Map([...DIRECT, [EXCEPTION, false]]);
    expect(compareOutcomes(DIRECT, known)).toEqual({ lost: [EXCEPTION], won: [], isAsGood: true });
  });

  it('has all excepted checks listed in the operator’s documentation', () => {
    const page = readFileSync(resolve(WORKSPACE_ROOT, 'docs/use/mcp.md'), 'utf8');
    const checks = Object.keys(EXCEPTIONS).map((name) => name.split(': ')[1] ?? name);
    expect(checks.filter((check) => !page.includes(`\`${check}\``))).toEqual([]);
    expect(checks.length).toBeGreaterThan(0);
  });
});
