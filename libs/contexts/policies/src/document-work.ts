import { compilePolicy } from './decision/rules/compile-policy.ts';
import { traceDecision } from './decision/rules/decide.ts';
import type { ToolCallFacts } from './decision/rules/decision.ts';
import { checkDocument, type CheckedDocument } from './document/rules/check-document.ts';
import { toPointer, type DocumentProblem, type Path } from './document/rules/document-text.ts';
import type { KnownTools } from './document/rules/judge-patterns.ts';
import type { PolicyDocument } from './document/rules/policy-document.ts';

/**
 * A document that a user sent, with the data that its check needs. Input and report contain only data that can be sent
 * to another thread, so that the check can run there.
 */
export interface DocumentWork {
  readonly text: string;
  /** A call that is to be decided with the document as well. */
  readonly facts?: ToolCallFacts;
  /** Tools of the account's servers, to warn about patterns that match none. */
  readonly tools?: readonly KnownTools[];
}

export interface DocumentReport extends Pick<CheckedDocument, 'document' | 'errors' | 'warnings'> {
  /**
   * Positions of workflow and user names, by JSON Pointer; the caller checks these names, because it has the account's
   * data.
   */
  readonly places: ReadonlyMap<string, DocumentProblem>;
  readonly traced?: ReturnType<typeof traceDecision>;
}

/** Version number of a document that is not stored. */
const NEXT_VERSION = 0;

/** Checks a document, and evaluates it for the given call, if any. The check takes up to a second of CPU time. */
export function workOnDocument({ text, facts, tools }: DocumentWork): DocumentReport {
  const { document, errors, warnings, locate } = checkDocument(text, tools);
  if (document === undefined) return { errors, warnings, places: new Map() };
  const places = new Map(listNamePaths(document).map((path) => [toPointer(path), locate(path, '')]));
  const report = { document, errors, warnings, places };
  return facts === undefined
    ? report
    : { ...report, traced: traceDecision(compilePolicy(document, NEXT_VERSION), facts) };
}

/** Restores the result of the check, so that the caller can add problems that only the caller can detect. */
export function restoreChecked({ places, ...report }: DocumentReport): CheckedDocument {
  return {
    ...report,
    locate(path, message) {
      const pointer = toPointer(path);
      return { line: 1, column: 1, path: pointer, ...places.get(pointer), message };
    },
  };
}

function listNamePaths({ rules = [], approval_workflows: workflows = [] }: PolicyDocument): Path[] {
  return [
    ...workflows.flatMap(({ approvers = [] }, index) =>
      approvers.map((_name, place) => ['approval_workflows', index, 'approvers', place]),
    ),
    ...rules.flatMap(({ workflow }, index) => (workflow === undefined ? [] : [['rules', index, 'workflow']])),
    ['defaults', 'workflow'],
  ];
}
