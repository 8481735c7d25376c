import { parseExactJson } from '@steward/text';
import { bindVariables, compileCondition, type ConditionVariables } from './compile-condition.ts';
import { countHistory } from './history-functions.ts';

const CALLER: Omit<ConditionVariables, 'args'> = {
  tool: { name: 'exec', server: 'shell' },
  agent: { id: 'a1', kind: 'codex', name: 'Builder', tags: ['prod', 'eu'] },
  session: { id: 's1', source_type: 'codex' },
  user: { id: '', username: '' },
  execution: { id: '', flow_id: '' },
  now: new Date('2026-11-20T12:00:00Z'),
};
const HISTORY = [{ server: 'shell', name: 'exec', ageSeconds: 3, isEqual: true }];

/** Evaluates a condition in both ways; an error of the library is represented by its message. */
function evaluate(condition: string, args: unknown) {
  const compiled = compileCondition(condition);
  if (compiled === undefined) throw new Error(`not compiled: ${condition}`);
  const variables = { ...CALLER, args };
  const outcome = compiled.evaluate(bindVariables(variables, HISTORY));
  return {
    plain: compiled.evaluatePlain({ ...variables, session: { ...variables.session, ...countHistory(HISTORY) } }),
    library: outcome.kind === 'value' ? outcome.value : outcome.message,
  };
}

it.each([
  [`args.path == 'x'`, { path: 'y' }, false],
  [`has(args.path) && args.path.startsWith('/etc')`, {}, false],
  [`has(args.path) && args.path.startsWith('/etc')`, { path: '/etc/passwd' }, true],
  [`args.missing == 'x' && args.path == 'x'`, { path: 'y' }, false],
  [`args.missing == 'x' || args.path == 'y'`, { path: 'y' }, true],
  [`args.missing == 'x' || args.path == 'x'`, { path: 'y' }, undefined],
  [`args.count > 7 && args.count <= 9.5`, { count: 9 }, true],
  [`args.count < 'a'`, { count: 9 }, undefined],
  [`args.paths.exists(p, p.endsWith('.env'))`, { paths: ['a', 'b.env'] }, true],
  [`args.paths.exists(p, p.endsWith('.env'))`, { paths: ['a', 1] }, undefined],
  [`args.paths.all(p, p.matches('^src/.*'))`, { paths: ['src/a', 'lib/b'] }, false],
  [`args.a.exists(x, args.b.exists(y, x == y))`, { a: [1, 2], b: [3, 2] }, true],
  [`args.a in ['x', 'y']`, { a: 'z' }, false],
  [`args['to-do'] == 'x'`, { 'to-do': 'x' }, true],
  [`'prod' in agent.tags && agent.kind == 'codex' && tool.server != 'shell'`, {}, false],
  [`session.count >= 1 && session.repeats == 1`, {}, true],
  [`size(args.text) > 3 ? args.text == 'abcd' : false`, { text: 'ab' }, false],
  [`has(args.none)`, { none: null }, false],
  [`has(args.toString)`, {}, false],
  [`args.n == 9007199254740992`, parseExactJson('{"n":9007199254740993}'), undefined],
  [`args.a == args.b`, { a: [1], b: [1] }, undefined],
  [`args.text.lowerAscii() == 'x'`, { text: 'X' }, undefined],
])('evaluates %s of %j without the library: %s', (condition, args, expected) => {
  const { plain, library } = evaluate(condition, args);
  expect(plain).toBe(expected);
  if (plain !== undefined) expect(library).toBe(plain);
});
