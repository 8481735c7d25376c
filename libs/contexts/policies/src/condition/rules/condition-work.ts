import type { Expr, Expr_Call, Expr_Comprehension } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { listBody, listParts, readNames, readPattern, readText } from './condition-tree.ts';
import { readProgramSize } from './pattern.ts';

/** Size of the parsed programs of a command line. */
export interface ShellSize {
  /** Length of the command line in characters; 0 if it was already counted for this decision, or if there is none. */
  readonly length: number;
  readonly programs: number;
  /** Total number of members in all lists of all programs. */
  readonly members: number;
  /** Total length of the strings in the programs, in characters. */
  readonly bytes: number;
}

/** Sizes of arguments on which the cost of a condition depends. */
export interface ArgumentSize {
  /** Size of the arguments in bytes as JSON. */
  readonly bytes: number;
  /** Number of items of the longest list or map in the arguments. */
  readonly longest: number;
  /**
   * Returns the size of the command line at this path. If this function is missing or returns undefined, the largest
   * size that is possible with `bytes` is assumed.
   */
  readonly measureShell?: (path: readonly string[]) => ShellSize | undefined;
}

/** Cost of one part of the expression tree, in units of about ten nanoseconds (measured; `tools/bench/decisions`). */
const PER_PART = 10;
const PER_STEP = 60;
/** Additional cost of a part that may fail, because a failure creates an error (measured without stack traces). */
const PER_FAILURE = 300;
/**
 * Cost per item that precedes the item that is read: a list that a loop builds is a linked list, so reading an item
 * visits all items before it.
 */
const PER_LINK = 3;
/** Cost per byte of a string that is searched. */
const PER_BYTE_READ = 0.5;
/** Cost per byte of a string that is created, or whose characters are counted. */
const PER_BYTE_MADE = 1;
/**
 * Cost per byte of compared values, measured for maps with keys of about ten characters, which are compared key by key;
 * strings are compared far faster.
 */
const PER_BYTE_EQUATED = 5;
/**
 * Cost per byte of a string and per part of a pattern. In the worst case, each part is checked for each byte; one check
 * was measured at 11 to 30 ns if the engine cannot cache any states.
 */
const PER_BYTE_AND_INSTRUCTION = 2;

/**
 * Cost per byte of a command line, which is parsed once for all conditions of a decision (measured: 0.1 to 1.1
 * microseconds per byte, for any content).
 */
const PER_BYTE_PARSED = 120;
/** Cost of converting a parsed member to a value that conditions can use. */
const PER_MEMBER = 20;
const MEMBERS_OF_PROGRAM = 12;
/** Maximum sizes that one command line can have, whatever it contains (`shell/rules/reading.ts`). */
const MOST_PARSED: ShellSize = { length: 65_536, programs: 501, members: 12_000, bytes: 300_000 };

/** Cost of `session.calls`, which checks each earlier call. */
const OF_HISTORY = 100_000;

/** Maximum size of a value. */
interface Size {
  readonly bytes: number;
  /** Number of items of the longest list or map in the value. */
  readonly items: number;
  /** Total number of members of all items, for a list of programs. */
  readonly members?: number;
  /** Number of programs in the list that contains this program; any one of them may have most of the members. */
  readonly siblings?: number;
}

interface Estimate {
  readonly work: number;
  readonly size: Size;
}

/**
 * Maximum size of each variable except `args`, `payload` and loop variables: the others contain only names, ids, tags
 * and times.
 */
const OF_FACTS: Size = { bytes: 1_000, items: 50 };
const OF_NUMBER: Size = { bytes: 8, items: 0 };
const OF_TRUTH: Size = { bytes: 1, items: 0 };
const NOTHING: Size = { bytes: 0, items: 0 };
/** Functions whose result is always a boolean. */
const TRUTHS = new Set([
  ...['_&&_', '_||_', '!_', '@not_strictly_false', '@in', '_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_'],
  ...['contains', 'startsWith', 'endsWith', 'matches', 'bool'],
]);
/** Operators that read only booleans, so that no cost is added to that of their operands. */
const CHOICES = new Set(['_&&_', '_||_', '!_', '@not_strictly_false', '_?_:_']);
/** Functions that never cause an error themselves. */
const EQUATIONS = new Set(['_==_', '_!=_']);

/**
 * Returns an upper bound for the cost of evaluating a condition. The cost is estimated in advance, because the library
 * does not count steps during an evaluation, and because with a time limit the same call might be decided differently
 * on a busy machine. For a condition without `shell`, the estimate with a fixed `longest` is linear in `bytes`.
 */
export function estimateWork(root: Expr, { bytes, longest, measureShell }: ArgumentSize): number {
  const given = { bytes, items: longest };
  const sizes = new Map(OF_SENDER.map((name) => [name, given]));
  return estimatePart(root, { sizes, measureShell }).work;
}

/** Variables that contain data from the caller: `args` in a condition, `payload` in a filter. */
const OF_SENDER = ['args', 'payload'] as const;

interface Variables {
  /** Sizes of `args`, `payload` and the variables of enclosing loops. */
  readonly sizes: ReadonlyMap<string, Size>;
  readonly measureShell: ArgumentSize['measureShell'];
}

function estimatePart(part: Expr, variables: Variables): Estimate {
  const { exprKind } = part;
  if (exprKind.case === 'comprehensionExpr') return estimateLoop(exprKind.value, variables);
  const inner = listParts(part).map((one) => estimatePart(one, variables));
  const work = inner.reduce((sum, one) => sum + one.work, PER_PART);
  const size = addSizes(inner.map((one) => one.size));
  switch (exprKind.case) {
    case 'constExpr':
      return {
        work,
        size: readText(part) === undefined ? OF_NUMBER : { bytes: readText(part)?.length ?? 0, items: 0 },
      };
    case 'identExpr':
      return { work, size: variables.sizes.get(exprKind.value.name) ?? OF_FACTS };
    case 'selectExpr':
      return exprKind.value.testOnly ? { work, size: OF_TRUTH } : { work: work + PER_FAILURE, size };
    case 'listExpr':
      return { work, size: { ...size, items: Math.max(inner.length, ...inner.map((one) => one.size.items)) } };
    case 'structExpr':
      return { work, size: { ...size, items: size.items + inner.length } };
    case 'callExpr':
      if (exprKind.value.function === 'shell') return estimateShell(exprKind.value, { work, size }, variables);
      return { work: work + estimateCall(exprKind.value, size), size: answerSize(exprKind.value, size) };
    default:
      return { work, size };
  }
}

function estimateShell({ args }: Expr_Call, given: Estimate, { measureShell }: Variables): Estimate {
  const path = args[0] === undefined ? undefined : readNames(args[0]);
  const isArgument = path?.[0] === 'args' && path.length > 1;
  const measured = isArgument && measureShell !== undefined ? measureShell(path.slice(1)) : undefined;
  const { length, programs, members, bytes } = measured ?? boundShell(given.size.bytes);
  const parsed = length === 0 ? 0 : PER_BYTE_PARSED * length + PER_MEMBER * (members + MEMBERS_OF_PROGRAM * programs);
  return {
    work: given.work + PER_FAILURE + parsed,
    size: { bytes, items: programs, members: members + MEMBERS_OF_PROGRAM * programs },
  };
}

function boundShell(length: number): ShellSize {
  return {
    length: Math.min(length, MOST_PARSED.length),
    programs: Math.min(length / 2 + 1, MOST_PARSED.programs),
    members: Math.min(4 * length + 40, MOST_PARSED.members),
    bytes: Math.min(16 * length + 4_096, MOST_PARSED.bytes),
  };
}

/** Returns the cost of the call itself, without that of its operands; the call may read all of its input, or fail. */
function estimateCall(call: Expr_Call, { bytes }: Size): number {
  const { function: name } = call;
  if (CHOICES.has(name)) return 0;
  if (name === 'calls') return OF_HISTORY;
  if (EQUATIONS.has(name)) return PER_BYTE_EQUATED * (findConstantLength(call) ?? bytes);
  const pattern = readPattern(call);
  if (pattern !== undefined) return PER_FAILURE + PER_BYTE_AND_INSTRUCTION * readProgramSize(pattern) * bytes;
  return PER_FAILURE + (TRUTHS.has(name) ? PER_BYTE_READ : PER_BYTE_MADE) * bytes;
}

/**
 * Returns the length of a constant operand: a comparison reads no more than this length of the other operand. Returns
 * undefined if no operand is a constant.
 */
function findConstantLength({ args }: Expr_Call): number | undefined {
  const constant = args.find(({ exprKind }) => exprKind.case === 'constExpr');
  return constant && (readText(constant)?.length ?? OF_NUMBER.bytes);
}

/**
 * Returns the maximum size of a result. No function returns more than its input: `+` concatenates, and a conditional
 * returns one of its branches.
 */
function answerSize({ function: name }: Expr_Call, given: Size): Size {
  return TRUTHS.has(name) ? OF_TRUTH : given;
}

/**
 * Returns the cost of a loop. The items together are as large as the list: over all steps, processing the items costs
 * as much as one pass over the list.
 */
function estimateLoop(loop: Expr_Comprehension, variables: Variables): Estimate {
  const range = loop.iterRange === undefined ? undefined : estimatePart(loop.iterRange, variables);
  const whole = range?.size ?? NOTHING;
  const steps = Math.max(1, whole.items);
  const item = sizeItem(whole, steps);
  const sizes = new Map(variables.sizes).set(loop.iterVar, item).set(loop.iterVar2, item).set(loop.accuVar, NOTHING);
  const within = { ...variables, sizes };
  const body = listBody(loop).map((part) => estimatePart(part, within));
  const bytesOfStep = body.reduce((sum, { size }) => sum + size.bytes, 0);
  // If the range is a list in one of several programs, this list may have nearly all of the members of these programs.
  const links = loop.accuInit?.exprKind.case === 'listExpr' ? PER_LINK * steps ** 2 * (whole.siblings ?? 1) : 0;
  const longestOfStep = Math.max(0, ...body.map(({ size }) => size.items));
  return {
    work: (range?.work ?? 0) + steps * body.reduce((sum, { work }) => sum + work, PER_STEP) + links,
    size: { bytes: steps * bytesOfStep, items: Math.max(steps, longestOfStep) },
  };
}

function sizeItem({ bytes, items, members }: Size, steps: number): Size {
  if (members === undefined) return { bytes: bytes / steps, items };
  return { bytes: bytes / steps, items: Math.max(1, members / steps), siblings: steps };
}

function addSizes(sizes: readonly Size[]): Size {
  const [only] = sizes;
  if (only !== undefined && sizes.length === 1) return only;
  return sizes.reduce((sum, { bytes, items }) => ({ bytes: sum.bytes + bytes, items: sum.items + items }), NOTHING);
}

/** Measures the arguments of a call without recursion, since the sender determines their nesting. */
export function measureArguments(args: unknown): ArgumentSize {
  let longest = 0;
  const open: unknown[] = [args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
    longest = Math.max(longest, items.length);
    for (const item of items) open.push(item);
  }
  return { bytes: countBytes(args), longest };
}

function countBytes(args: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(args) ?? 'null');
  } catch (error) {
    // The value is nested more deeply than the call stack allows.
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
