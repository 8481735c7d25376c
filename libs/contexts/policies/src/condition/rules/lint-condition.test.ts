import { lintCondition } from './lint-condition.ts';

const errorsOf = (text: string) => lintCondition(text).errors.join(' ');

describe('linting a condition (PO-6)', () => {
  it.each([
    `args.sql.matches(r'(?i)drop\\s+table') && agent.tags.exists(t, t == 'prod')`,
    `has(args.path) && args.path.startsWith('/etc')`,
    `tool.server == 'db' || tool.name in ['a', 'b']`,
    `now > timestamp('2026-01-01T00:00:00Z') && now.getHours('Europe/Berlin') < 6`,
    `size(args.items) > 10 ? user.username == 'dana' : true`,
    `args.items.all(item, item.tags.exists(tag, tag == 'x'))`,
    `type(args.n) == int || dyn(args.n) == 3`,
    `args['list'][0] == 'x'`,
    `args.confirmed`,
    `{'a': true}['a']`,
    `shell(args.command).exists(p, p.unreadable || p.args.exists(a, path(a) == '/etc'))`,
    `inside(args.path, '/work')`,
    `session.count > 10 || session.repeats >= 3 || session.calls('github/*', 600) > 5`,
    `shell(args.command).all(p, p.writes.filter(f, !inside(f, '.')).size() == 0)`,
  ])('is accepted: %s', (text) => {
    expect(lintCondition(text).errors).toEqual([]);
  });

  it.each([
    [`args.x ==`, 'is not valid'],
    [`request.path == 'x'`, 'There is no variable "request"'],
    [`agent.owner == 'x'`, '"agent" has no field "owner". Its fields: id, kind, name, tags'],
    [`now.year == 2026`, '"now" has no field "year"'],
    [`exec('rm')`, 'There is no function "exec"'],
    [`args.s.replace('', args.s) == 'x'`, 'There is no function "replace"'],
    [`tool.name`, 'does not return true or false'],
    [`'text'`, 'does not return true or false'],
    [`args.n + 1.0`, 'does not return true or false'],
    [`args.items.map(x, x)`, 'does not return true or false'],
    [`args.items.filter(x, x == 1)`, 'does not return true or false'],
    [`shell(args.command)`, 'does not return true or false'],
    [`session.count`, 'does not return true or false'],
    [`session.calls('x/*')`, 'does not return true or false'],
    [`session.calls(args.x) > 1`, 'The tool pattern of session.calls must be a literal'],
    [`session.calls('github/{a,b}') > 1`, '"github/{a,b}" matches no tool'],
    [`args.calls('x') > 1`, 'calls is a function of session'],
    [`path(args.a)`, 'does not return true or false'],
    [`size(args.items)`, 'does not return true or false'],
    [`true ? 1 : 2`, 'does not return true or false'],
    [`args.a.all(x, x.all(y, y.all(z, z)))`, 'nested more than 2 levels deep'],
    [`args.s.matches(args.pattern)`, 'The pattern of matches must be a literal'],
    [`args.s.matches('(')`, 'The pattern is not valid'],
    [`args.s.matches('(?=x)')`, 'The pattern is not valid'],
    [`args.s.matches('(?:${'abcdefghij'.repeat(90)}){1000}')`, 'The repetitions in the pattern make it too long'],
    [`args.s.matches('(?:a{30}b){30}(?:c{30}){30}')`, 'The repetitions in the pattern make it too long'],
    [`args.s.matches('[^b]{0,999}x|[^b]{0,999}y|[^b]{0,999}z')`, 'The repetitions in the pattern make it too long'],
    [`args.s.matches('${'a'.repeat(1_001)}')`, 'longer than 1000 characters'],
    [`args.a.all(x, args.b.all(y, y.matches('[ab]{200}c')))`, 'would take too long even for small arguments'],
    [`args.s.matches('a{900}') || args.s.matches('b{900}') || args.s.matches('c{900}')`, 'would take too long'],
    [`args.x == '${'a'.repeat(5_000)}'`, 'longer than 4 KiB'],
    [`[${'1,'.repeat(600)}1].exists(x, x == 1)`, 'more than 500 parts'],
    ['('.repeat(1_500), 'condition'],
    [`Steward{name: 'x'} == args.x`, 'There is no type Steward'],
  ])('is refused: %s', (text, message) => {
    expect(errorsOf(text)).toContain(message);
  });

  it.each([
    [`args.sql.contains('drop')`, ['sql']],
    [`args['sql'].contains('drop') && args.name == 'x'`, ['name', 'sql']],
    [`has(args.sql) && args.sql.contains('drop')`, []],
    [`'sql' in args && args.sql.contains('drop')`, []],
    [`tool.name == 'x'`, []],
  ])('warns about an argument that may be missing: %s', (text, names) => {
    const { warnings } = lintCondition(text);
    expect(warnings).toHaveLength(names.length);
    names.forEach((name, index) => expect(warnings[index]).toContain(`has(args.${name})`));
  });
});
