import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { listBody, listParts } from './condition-tree.ts';

/** What the work of a condition depends on. */
export interface ArgumentSize {
  /** As JSON. */
  readonly bytes: number;
  /** Items of the longest list or map in them. */
  readonly longest: number;
}

/** Of a part of the tree, in units of about ten nanoseconds (measured; `tools/bench/decisions`). */
const PER_PART = 10;
const PER_STEP = 60;
const PER_BYTE_COMPARED = 0.2;
const PER_BYTE_MATCHED = 2;
/** Lists that do not come from the arguments (tags) are not longer. */
const LEAST_LENGTH = 50;

/**
 * An upper estimate of what evaluating a condition costs. The library counts nothing while it evaluates, and a limit by the
 * clock would decide the same call differently on a busy machine.
 */
export function estimateWork(root: Expr, size: ArgumentSize): number {
  // Lists can be joined: each + may make one as long as both.
  const longest = Math.max(size.longest, LEAST_LENGTH) * (1 + countCalls(root, '_+_'));
  return estimatePart(root, { bytes: size.bytes, longest, inLoop: false });
}

interface Setting {
  readonly bytes: number;
  readonly longest: number;
  readonly inLoop: boolean;
}

function estimatePart(part: Expr, setting: Setting): number {
  const { exprKind } = part;
  if (exprKind.case === 'comprehensionExpr') {
    const loop = exprKind.value;
    const range = loop.iterRange === undefined ? 0 : estimatePart(loop.iterRange, setting);
    const body = listBody(loop).reduce(
      (sum, inner) => sum + estimatePart(inner, { ...setting, inLoop: true }),
      PER_STEP,
    );
    return range + setting.longest * body;
  }
  const inner = listParts(part).reduce((sum, one) => sum + estimatePart(one, setting), PER_PART);
  if (exprKind.case !== 'callExpr') return inner;
  const perByte = exprKind.value.function === 'matches' ? PER_BYTE_MATCHED : PER_BYTE_COMPARED;
  return inner + perByte * estimateBytes(part, setting);
}

/** What a call may look at: all arguments where it names them; of the items of a loop, all of them once in all its steps. */
function estimateBytes(part: Expr, { bytes, longest, inLoop }: Setting): number {
  return inLoop && !namesArguments(part) ? bytes / longest : bytes;
}

function namesArguments(root: Expr): boolean {
  const open = [root];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.exprKind.case === 'identExpr' && part.exprKind.value.name === 'args') return true;
    open.push(...listParts(part));
  }
  return false;
}

function countCalls(root: Expr, name: string): number {
  const own = root.exprKind.case === 'callExpr' && root.exprKind.value.function === name ? 1 : 0;
  return listParts(root).reduce((sum, part) => sum + countCalls(part, name), own);
}

/** Without recursion: arguments are nested as deep as their sender likes. */
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
    // Nested deeper than the stack.
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
