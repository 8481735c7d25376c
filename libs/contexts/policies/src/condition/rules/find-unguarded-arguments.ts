import type { Expr, Expr_Call } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { listParts, readNames, readText } from './condition-tree.ts';

/** Returns the arguments that a condition reads without checking that they exist, sorted by name. */
export function findUnguardedArguments(root: Expr): string[] {
  const read = new Set<string>();
  const guarded = new Set<string>();
  const open = [root];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    noteUse(part, read, guarded);
    open.push(...listParts(part));
  }
  return [...read].filter((name) => !guarded.has(name)).sort();
}

function noteUse(part: Expr, read: Set<string>, guarded: Set<string>): void {
  const { exprKind } = part;
  if (exprKind.case === 'callExpr') return noteCall(exprKind.value, read, guarded);
  if (exprKind.case !== 'selectExpr') return;
  const [root, name, more] = readNames(part) ?? [];
  if (root !== 'args' || name === undefined || more !== undefined) return;
  (exprKind.value.testOnly ? guarded : read).add(name);
}

function noteCall({ function: operator, args }: Expr_Call, read: Set<string>, guarded: Set<string>): void {
  const [left, right] = args;
  if (left === undefined || right === undefined) return;
  // Matches "name" in args
  if (operator === '@in' && isArgs(right)) guarded.add(readText(left) ?? '');
  // Matches args["name"]
  const key = readText(right);
  if (operator === '_[_]' && isArgs(left) && key !== undefined) read.add(key);
}

function isArgs({ exprKind }: Expr): boolean {
  return exprKind.case === 'identExpr' && exprKind.value.name === 'args';
}
