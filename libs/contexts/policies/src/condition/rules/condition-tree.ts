import { parse } from '@bufbuild/cel';
import type { Expr, Expr_Call, Expr_Comprehension, ParsedExpr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';

export type ParsedCondition = ParsedExpr & { readonly expr: Expr };

export type ParseOutcome =
  | { readonly kind: 'parsed'; readonly parsed: ParsedCondition }
  | { readonly kind: 'refused'; readonly message: string };

export function parseCondition(text: string): ParseOutcome {
  try {
    return { kind: 'parsed', parsed: parse(text) };
  } catch (error) {
    // The parser recurses once for each parenthesis, so deep nesting exceeds the call stack.
    if (error instanceof RangeError) return { kind: 'refused', message: 'The condition is nested too deeply.' };
    const reason = error instanceof Error ? error.message.split('\n')[0] : undefined;
    return { kind: 'refused', message: `The condition is not valid: ${reason ?? 'syntax error'}.` };
  }
}

/** Returns the parts of an expression in order; for a loop, first its range, then its body. */
export function listParts({ exprKind }: Expr): Expr[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return present(exprKind.value.operand);
    case 'callExpr':
      return [...present(exprKind.value.target), ...exprKind.value.args];
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [
        ...(keyKind.case === 'mapKey' ? [keyKind.value] : []),
        ...present(value),
      ]);
    case 'comprehensionExpr':
      return [...present(exprKind.value.iterRange), ...listBody(exprKind.value)];
    default:
      return [];
  }
}

/** Returns the parts of a loop except its range. */
export function listBody({ accuInit, loopCondition, loopStep, result }: Expr_Comprehension): Expr[] {
  return [accuInit, loopCondition, loopStep, result].flatMap(present);
}

/** Returns the string value of a constant; undefined for everything else. */
export function readText({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== 'constExpr') return undefined;
  const { constantKind } = exprKind.value;
  return constantKind.case === 'stringValue' ? constantKind.value : undefined;
}

/** Returns the literal pattern in a call of `matches`; undefined for other calls and for computed patterns. */
export function readPattern({ function: name, target, args }: Expr_Call): string | undefined {
  const pattern = target === undefined ? args[1] : args[0];
  return name !== 'matches' || pattern === undefined ? undefined : readText(pattern);
}

/** Returns the names of a path such as `args.a.b`, starting at the root; undefined for anything else. */
export function readNames({ exprKind }: Expr): string[] | undefined {
  if (exprKind.case === 'identExpr') return [exprKind.value.name];
  if (exprKind.case !== 'selectExpr' || exprKind.value.operand === undefined) return undefined;
  const names = readNames(exprKind.value.operand);
  return names === undefined ? undefined : [...names, exprKind.value.field];
}

function present(part: Expr | undefined): Expr[] {
  return part === undefined ? [] : [part];
}
