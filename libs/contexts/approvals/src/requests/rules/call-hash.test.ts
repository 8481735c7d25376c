import { readFileSync } from 'node:fs';
import { parseExactJson } from '@steward/text';
import { hashCall } from './call-hash.ts';
import { readInertArguments, requireInertArgument } from './inert-arguments.ts';

const CALL = {
  caller: 'api_key:1',
  server: 'db',
  toolName: 'write',
  arguments: { table: 't', rows: [{ a: 1, b: 2 }] },
  definitionHash: null,
};
const SHIPPED = readInertArguments();
const hash = (change: object = {}, inert = SHIPPED) => hashCall({ ...CALL, ...change }, inert).toString('hex');

describe('the hash of a call (APR-6)', () => {
  it('is the same for the same call, in any order of keys', () => {
    expect(hash({ arguments: { rows: [{ b: 2, a: 1 }], table: 't' } })).toBe(hash());
  });

  it('distinguishes numbers by their exact value, but not by their notation (TOOL-23)', () => {
    const read = (id: string) => hash({ arguments: parseExactJson(`{"id":${id}}`) });
    expect(new Set(['1917043659912705297', '1917043659912705298', '1e400', '1e401', '15'].map(read)).size).toBe(5);
    expect(read('1.50e1')).toBe(read('15'));
    const shell = (timeout: string) =>
      hash({ server: 'local', toolName: 'Bash', arguments: parseExactJson(`{"command":"ls","timeout":${timeout}}`) });
    expect(shell('120000.0')).toBe(shell('1917043659912705297'));
  });

  it.each<[string, object]>([
    ['caller', { caller: 'api_key:2' }],
    ['server', { server: 'files' }],
    ['tool', { toolName: 'read' }],
    ['description of the tool', { definitionHash: 'a'.repeat(64) }],
    ['argument', { arguments: { ...CALL.arguments, table: 'u' } }],
    ['set of arguments', { arguments: { table: 't' } }],
    ['order of a list', { arguments: { table: 't', rows: [{ a: 1 }, { b: 2 }] } }],
    ['type of a number', { arguments: { table: 't', rows: [{ a: '1', b: 2 }] } }],
    ['boundary between two fields', { server: 'dbwrite', toolName: '' }],
  ])('differs for another %s', (_what, change) => {
    expect(hash(change)).not.toBe(hash());
  });

  it('includes a key that has the name of an inherited object property', () => {
    expect(hash({ arguments: JSON.parse('{"__proto__": 1}') })).not.toBe(hash({ arguments: {} }));
  });
});

describe('an argument that a built-in tool of an agent does not use (APR-20)', () => {
  const local = (toolName: string, args: object, more: object = {}) =>
    hash({ server: 'local', toolName, arguments: args, ...more });
  const every = [...SHIPPED].flatMap(([tool, names]) => [...names].map((name) => [tool, name] as const));

  it.each(every)('%s is the same call whatever value its %s has', (tool, name) => {
    const bare = local(tool, { command: 'make deploy' });
    for (const value of ['Deploy', '', 120_000, null]) {
      expect(local(tool, { command: 'make deploy', [name]: value })).toBe(bare);
    }
  });

  it.each<[string, string, object]>([
    ['the command', 'Bash', { command: 'make destroy' }],
    ['a run in the background', 'Bash', { command: 'c', run_in_background: true }],
    ['a run outside the sandbox', 'Bash', { command: 'c', dangerouslyDisableSandbox: true }],
    ['the working directory', 'exec_command', { command: 'c', workdir: '/srv' }],
    ['requested privileges', 'shell', { command: 'c', with_escalated_permissions: true }],
    ['requested privileges, by their newer name', 'exec_command', { command: 'c', sandbox_permissions: 'x' }],
    ['the prompt of a subagent', 'Task', { command: 'c', prompt: 'x' }],
    ['a description that is not a string', 'Bash', { command: 'c', description: { run: 'x' } }],
    ['a timeout that is a list', 'Bash', { command: 'c', timeout: [1] }],
    ['a name in different case', 'Bash', { command: 'c', Description: 'x' }],
    ['a nested description', 'Bash', { command: 'c', more: { description: 'x' } }],
  ])('is not %s, which changes the hash', (_what, tool, args) => {
    expect(local(tool, args)).not.toBe(local(tool, { command: 'c' }));
  });

  it.each<[string, object]>([
    ['another tool', { toolName: 'create_issue' }],
    ['a tool of the same name on a server', { server: 'github' }],
    ['a server called local that runs through the service', { definitionHash: 'a'.repeat(64) }],
    ['an inherited object property', { toolName: 'constructor' }],
  ])('is always included in the hash for %s', (_what, change) => {
    const bash = { server: 'local', toolName: 'Bash', ...change };
    const said = (description: string) => hash({ ...bash, arguments: { title: 'x', description } });
    expect(said('a')).not.toBe(said('b'));
  });

  it('is included in the hash if the arguments are not an object', () => {
    expect(local('Bash', ['description'])).not.toBe(local('Bash', []));
    expect(hash({ server: 'local', toolName: 'Bash', arguments: 'rm' })).not.toBe(local('Bash', {}));
  });

  it('can be configured for a deployment, per tool', () => {
    const inert = readInertArguments(['Bash:note', 'deploy:ticket']);
    const of = (toolName: string, args: object) => hash({ server: 'local', toolName, arguments: args }, inert);
    expect(of('Bash', { command: 'c', note: 'x', description: 'y' })).toBe(of('Bash', { command: 'c' }));
    expect(of('deploy', { ticket: '1' })).toBe(of('deploy', {}));
    expect(local('Bash', { note: 'x' })).not.toBe(local('Bash', {}));
    for (const entry of ['Bash', 'Bash:', ':note', 'a:b:c']) expect(() => requireInertArgument(entry)).toThrow(entry);
  });

  it('is listed in the guide', () => {
    const guide = readFileSync(new URL('../../../../../../docs/use/approvals.md', import.meta.url), 'utf8');
    const rows = guide.matchAll(/^\| +((?:`\w+`(?:, )?)+) +\| +((?:`\w+`(?:, )?)+) +\|$/gm);
    const names = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const listed = [...rows].flatMap(([, tools, args]) =>
      names(tools).flatMap((tool) => names(args).map((name) => `${tool}:${name}`)),
    );
    expect(listed.toSorted()).toEqual(every.map(([tool, name]) => `${tool}:${name}`).toSorted());
  });
});
