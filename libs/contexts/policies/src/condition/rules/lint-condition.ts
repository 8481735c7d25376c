import type { Expr, Expr_Call } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import {
  MAX_CONDITION_BYTES,
  MAX_CONDITION_NODES,
  MAX_DECISION_WORK,
  MAX_LOOP_DEPTH,
  SMALL_ARGUMENTS,
} from './condition-limits.ts';
import { CONDITION_VARIABLES, FUNCTIONS, NEVER_BOOLEAN, TYPE_NAMES } from './condition-names.ts';
import {
  listBody,
  listParts,
  parseCondition,
  readNames,
  readPattern,
  readText,
  type ParsedCondition,
} from './condition-tree.ts';
import { estimateWork } from './condition-work.ts';
import { findToolPatternFault } from '../../document/rules/judge-patterns.ts';
import { findUnguardedArguments } from './find-unguarded-arguments.ts';
import { findPatternFault, readProgramSize } from './pattern.ts';

export interface ConditionLint {
  /** The parsed condition, for evaluation; undefined if there are errors. */
  readonly parsed?: ParsedCondition;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The patterns of the condition, with the compiled size of each. */
  readonly programs: ReadonlyMap<string, number>;
}

/** Variables of a condition, each with its fields; the value undefined means that every field is allowed. */
type Variables = ReadonlyMap<string, readonly string[] | undefined>;

/** Checks a condition statically, because the library detects unknown names only during the evaluation. */
export function lintCondition(text: string, variables: Variables = CONDITION_VARIABLES): ConditionLint {
  if (Buffer.byteLength(text) > MAX_CONDITION_BYTES) return refuse(`The condition is longer than 4 KiB.`);
  const outcome = parseCondition(text);
  if (outcome.kind === 'refused') return refuse(outcome.message);
  const { parsed } = outcome;
  if (isTooLarge(parsed.expr)) return refuse(`The condition has more than ${MAX_CONDITION_NODES} parts.`);
  const errors: string[] = [];
  const programs = new Map<string, number>();
  const report: Report = {
    error: (message) => void errors.push(message),
    pattern: (pattern) => void programs.set(pattern, readProgramSize(pattern)),
  };
  checkPart(parsed.expr, { variables, locals: new Set(), depth: 0 }, report);
  if (errors.length === 0 && isNeverBoolean(parsed.expr, parsed, variables))
    errors.push('The condition does not return true or false: compare its value with something.');
  if (errors.length === 0 && estimateWork(parsed.expr, SMALL_ARGUMENTS) > MAX_DECISION_WORK)
    errors.push('The condition would take too long even for small arguments, because of its patterns and loops.');
  if (errors.length > 0) return { errors: [...new Set(errors)], warnings: [], programs };
  const warnings = findUnguardedArguments(parsed.expr).map(
    (name) =>
      `If a call has no args.${name}, the condition fails, which counts as matched for deny and require_approval and ` +
      `as not matched for allow. To decide explicitly, start with: has(args.${name}) && …`,
  );
  return { parsed, errors, warnings, programs };
}

function refuse(message: string): ConditionLint {
  return { errors: [message], warnings: [], programs: new Map() };
}

function isTooLarge(root: Expr): boolean {
  let nodes = 0;
  const open = [root];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    nodes += 1;
    if (nodes > MAX_CONDITION_NODES) return true;
    open.push(...listParts(part));
  }
  return false;
}

interface Report {
  readonly error: (message: string) => void;
  readonly pattern: (pattern: string) => void;
}

interface Surroundings {
  readonly variables: Variables;
  /** Variables of enclosing loops. */
  readonly locals: ReadonlySet<string>;
  /** Number of enclosing loops. */
  readonly depth: number;
}

function checkPart(part: Expr, around: Surroundings, report: Report): void {
  const { exprKind } = part;
  if (exprKind.case === 'identExpr') return checkName(exprKind.value.name, around, report);
  if (exprKind.case === 'selectExpr') checkField(part, around, report);
  if (exprKind.case === 'structExpr' && exprKind.value.messageName !== '')
    report.error(`There is no type ${exprKind.value.messageName}.`);
  if (exprKind.case === 'callExpr') checkCall(exprKind.value, report);
  if (exprKind.case !== 'comprehensionExpr') {
    for (const inner of listParts(part)) checkPart(inner, around, report);
    return;
  }
  const loop = exprKind.value;
  const depth = around.depth + 1;
  if (depth > MAX_LOOP_DEPTH) report.error(`Loops are nested more than ${MAX_LOOP_DEPTH} levels deep.`);
  if (loop.iterRange !== undefined) checkPart(loop.iterRange, around, report);
  const locals = new Set([...around.locals, loop.iterVar, loop.iterVar2, loop.accuVar]);
  for (const inner of listBody(loop)) checkPart(inner, { ...around, locals, depth }, report);
}

function checkName(name: string, { variables, locals }: Surroundings, report: Report): void {
  if (locals.has(name) || variables.has(name) || TYPE_NAMES.has(name)) return;
  report.error(`There is no variable "${name}". Available variables: ${[...variables.keys()].join(', ')}.`);
}

function checkField(part: Expr, { variables, locals }: Surroundings, report: Report): void {
  const [root, field] = readNames(part) ?? [];
  if (root === undefined || field === undefined || locals.has(root)) return;
  const fields = variables.get(root);
  if (fields === undefined || fields.includes(field)) return;
  const known = fields.length === 0 ? 'It has no fields.' : `Its fields: ${fields.join(', ')}.`;
  report.error(`"${root}" has no field "${field}". ${known}`);
}

function checkCall(call: Expr_Call, report: Report): void {
  if (!FUNCTIONS.has(call.function)) return report.error(`There is no function "${call.function}".`);
  if (call.function === 'calls') return checkCalls(call, report);
  if (call.function !== 'matches') return;
  const pattern = readPattern(call);
  // A pattern that is not a literal could come from the arguments, which are under the agent's control.
  if (pattern === undefined) return report.error('The pattern of matches must be a literal in the condition.');
  const fault = findPatternFault(pattern);
  if (fault !== undefined) report.error(fault);
  else report.pattern(pattern);
}

/** Checks calls of `session.calls`, for example `session.calls('github/*', 600)`: the pattern must be a literal. */
function checkCalls({ target, args }: Expr_Call, report: Report): void {
  const pattern = args[0] === undefined ? undefined : readText(args[0]);
  if (target === undefined || readNames(target)?.join('.') !== 'session')
    return report.error("calls is a function of session: session.calls('server/tool').");
  if (pattern === undefined)
    return report.error('The tool pattern of session.calls must be a literal in the condition.');
  const fault = findToolPatternFault(pattern);
  if (fault !== undefined) report.error(fault);
}

/** Returns true if the result of an expression, or of a branch of a conditional expression, can never be a boolean. */
function isNeverBoolean(part: Expr, parsed: ParsedCondition, variables: Variables): boolean {
  const { exprKind } = part;
  switch (exprKind.case) {
    case 'constExpr':
      return exprKind.value.constantKind.case !== 'boolValue';
    case 'identExpr':
      return true;
    case 'selectExpr':
      return !exprKind.value.testOnly && isFixedField(part, variables);
    case 'callExpr': {
      const { function: name, args } = exprKind.value;
      if (name === '_?_:_') return args.slice(1).some((branch) => isNeverBoolean(branch, parsed, variables));
      return NEVER_BOOLEAN.has(name);
    }
    case 'comprehensionExpr':
      return isListMacro(part, parsed);
    default:
      return true;
  }
}

/**
 * Returns whether a part is a field with a fixed type, which is never boolean. All fields have a fixed type, except
 * those of the caller's data.
 */
function isFixedField(part: Expr, variables: Variables): boolean {
  const root = readNames(part)?.[0];
  return root !== undefined && !(variables.has(root) && variables.get(root) === undefined);
}

function isListMacro({ id }: Expr, { sourceInfo }: ParsedCondition): boolean {
  const macro = sourceInfo?.macroCalls[String(id)]?.exprKind;
  return macro?.case === 'callExpr' && ['map', 'filter'].includes(macro.value.function);
}
