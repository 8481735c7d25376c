import { COMMAND_FUNCTIONS, CONDITION_VARIABLES, CONVERSIONS, OF_TEXT, OF_TIME, TESTS } from './condition-names.ts';

/** A name or an operator that a condition may use, for completion in editors. */
export interface ConditionName {
  /** Fields are written with their variable: `tool.name`. */
  readonly name: string;
  readonly kind: 'variable' | 'field' | 'function' | 'method' | 'operator';
  readonly description?: string;
}

/** Names of the macros that are called like methods; the parser expands them. */
const MACROS = ['all', 'exists', 'exists_one', 'filter', 'map'];

const OPERATORS = ['in', '&&', '||', '!', '==', '!=', '<', '<=', '>', '>='];

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  args: 'Arguments of the call; a missing one makes the condition fail, so test it with has() first.',
  tool: 'The tool that is called.',
  agent: 'The calling agent; its fields are empty if there is none.',
  session: 'The session of the call, and the earlier calls in it.',
  user: 'The person who makes the call.',
  execution: 'The flow execution that makes the call.',
  now: 'Time of the call.',
  'session.count': 'Number of earlier calls in the session that were let through.',
  'session.repeats': 'Number of earlier calls with the same tool and arguments.',
  has: 'Whether an argument is present and not null: has(args.path).',
  '&&': 'And.',
  '||': 'Or.',
  '!': 'Not.',
  in: 'Whether a list or a map contains a value: args.branch in ["main"].',
  contains: 'Whether a string contains another one.',
  startsWith: 'Whether a string starts with another one.',
  endsWith: 'Whether a string ends with another one.',
  matches: "Whether a part of a string matches a pattern: args.sql.matches(r'(?i)drop').",
  all: 'Whether a test holds for each item: args.paths.all(p, inside(p, "/work")).',
  exists: 'Whether a test holds for an item: args.paths.exists(p, p == "/etc").',
  exists_one: 'Whether a test holds for exactly one item.',
  filter: 'The items for which a test holds.',
  map: 'A list with a value for each item.',
  calls: 'Number of earlier calls that a pattern matches: session.calls("github/*", 600).',
  shell: 'The programs that a command line runs, as maps.',
  path: 'A path without ".", ".." and double slashes.',
  patchFiles: 'The files that a patch changes.',
  inside: 'Whether a path is a folder or below it.',
  hasFlag: 'Whether a program of shell() is given an option.',
  size: 'Length of a string, list or map.',
};

const describe = (kind: ConditionName['kind'], names: readonly string[]): ConditionName[] =>
  names.map((name) => {
    const description = DESCRIPTIONS[name];
    return { name, kind, ...(description === undefined ? {} : { description }) };
  });

/** Lists the names and operators that a condition may use, except rarely needed ones, such as arithmetic operators. */
export function listConditionNames(): ConditionName[] {
  const variables = [...CONDITION_VARIABLES];
  return [
    ...describe(
      'variable',
      variables.map(([name]) => name),
    ),
    ...describe(
      'field',
      variables.flatMap(([name, fields = []]) => fields.map((field) => `${name}.${field}`)),
    ),
    ...describe('function', ['has', ...COMMAND_FUNCTIONS, ...CONVERSIONS]),
    ...describe('method', [...TESTS, ...MACROS, ...OF_TEXT, ...OF_TIME, 'calls']),
    ...describe('operator', OPERATORS),
  ];
}
