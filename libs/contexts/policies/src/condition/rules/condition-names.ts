/** Variables of a condition, with their fields; `args` contains the arguments of the call. */
export const CONDITION_VARIABLES: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ['args', undefined],
  ['tool', ['name', 'server']],
  ['agent', ['id', 'kind', 'name', 'tags']],
  ['session', ['id', 'source_type', 'count', 'repeats']],
  ['user', ['id', 'username']],
  ['execution', ['id', 'flow_id']],
  ['now', []],
]);

/**
 * Variables of the filter for the webhook of a flow; `payload` contains the body of the request that calls the webhook.
 */
export const FILTER_VARIABLES: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ['payload', undefined],
  ['event', ['name', 'action', 'names']],
  ['now', []],
]);

/** Names of types, for `type(x) == string`. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  ...['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint'],
]);

const LOGIC = ['_&&_', '_||_', '!_', '@not_strictly_false', '@in', '_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_'];
const ARITHMETIC = ['_+_', '_-_', '_*_', '_/_', '_%_', '-_'];
/** Functions that test a string. */
export const TESTS = ['contains', 'startsWith', 'endsWith', 'matches'];
/**
 * `size`, and the functions of the string extension whose result is never longer than their input. `replace`, `join`
 * and `format` are excluded, because they can create gigabytes from a string of 100 KB, and `split` because it can
 * create a list longer than any in the input.
 */
export const OF_TEXT = ['charAt', 'indexOf', 'lastIndexOf', 'lowerAscii', 'size', 'substring', 'trim', 'upperAscii'];
export const CONVERSIONS = ['bool', 'bytes', 'double', 'dyn', 'duration', 'int', 'string', 'timestamp', 'type', 'uint'];
export const OF_TIME = [
  ...['getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getFullYear', 'getHours', 'getMilliseconds'],
  ...['getMinutes', 'getMonth', 'getSeconds'],
];

/** Functions for shells and paths (`shell-functions.ts`). */
const OF_COMMANDS = ['shell', 'path', 'patchFiles'];
export const COMMAND_FUNCTIONS = [...OF_COMMANDS, 'inside', 'hasFlag'];

export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['_?_:_', '_[_]', ...LOGIC, ...ARITHMETIC, ...TESTS, ...OF_TEXT, ...CONVERSIONS, ...OF_TIME],
  ...[...COMMAND_FUNCTIONS, 'calls'],
]);

/** Functions whose result is never a boolean. */
export const NEVER_BOOLEAN: ReadonlySet<string> = new Set([
  ...ARITHMETIC,
  ...OF_TEXT,
  ...OF_TIME,
  ...OF_COMMANDS,
  'calls',
  ...CONVERSIONS.filter((name) => name !== 'bool' && name !== 'dyn'),
]);
