import type { ErrorObject } from 'ajv/dist/2020.js';
import { MAX_DOCUMENT_PROGRAM } from '../../condition/rules/condition-limits.ts';
import { lintCondition } from '../../condition/rules/lint-condition.ts';
import {
  fromPointer,
  readDocumentText,
  toPointer,
  type DocumentProblem,
  type Path,
  type ReadText,
} from './document-text.ts';
import { findUnreachableRules } from './find-unreachable-rules.ts';
import { findSchemaFaults } from '../schema-faults.ts';
import {
  createSeenJudge,
  findNameDoubt,
  findToolPatternFault,
  listNamePatterns,
  type KnownTools,
} from './judge-patterns.ts';
import type { PolicyDocument, PolicyRule } from './policy-document.ts';

export interface CheckedDocument {
  /** The checked document; undefined if there are errors. */
  readonly document?: PolicyDocument;
  readonly errors: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
  /** Returns a problem with its position in the document. */
  readonly locate: ReadText['locate'];
}

/** Maximum number of errors, and of warnings, that are reported; further ones are only counted. */
const MAX_PROBLEMS = 100;

/**
 * Checks a document before it is used to decide calls; only the names of workflows and users are left to the caller.
 * Takes up to a second of CPU time and tens of megabytes of memory, so it must not run in a thread that serves other
 * requests (`document-work.ts`). For servers whose tools are known, warns about patterns that match none of these
 * tools.
 */
export function checkDocument(text: string, known: readonly KnownTools[] = []): CheckedDocument {
  const read = readDocumentText(text);
  if (read.kind === 'unreadable') return { errors: read.errors, warnings: [], locate: locateNowhere };
  const { locate } = read;
  const faults = findSchemaFaults(read.value);
  if (faults.length > 0) {
    const own = faults.filter(isOwnFault);
    // Every refused document has at least one error.
    const told = own.length > 0 ? own : faults;
    return { errors: placeFindings(told.map(describeFault), read), warnings: [], locate };
  }
  const document = read.value as PolicyDocument;
  const { errors, warnings } = lintDocument(document, known);
  const findings = { errors: placeFindings(errors, read), warnings: placeFindings(warnings, read), locate };
  return errors.length > 0 ? findings : { document, ...findings };
}

/** A problem whose position in the document is not known yet. */
interface Finding {
  readonly path: Path;
  readonly message: string;
}

/**
 * Locates the problems that are reported, and counts the others: in a document full of errors, locating all of them
 * would cost as much as parsing the document.
 */
function placeFindings(findings: readonly Finding[], { locate }: ReadText): DocumentProblem[] {
  const told = findings.slice(0, MAX_PROBLEMS).map(({ path, message }) => locate(path, message));
  const more = findings.length - told.length;
  return more === 0 ? told : [...told, locate([], `And ${more} more problems of this kind.`)];
}

function locateNowhere(path: Path, message: string): DocumentProblem {
  return { line: 1, column: 1, path: toPointer(path), message };
}

/**
 * Returns whether an error is reported. If a value must match one of several schemas (`anyOf`), some errors would only
 * repeat the same problem, so they are omitted. For the version, one error is enough.
 */
function isOwnFault({ keyword, instancePath, schemaPath }: ErrorObject): boolean {
  if (instancePath === '/version') return keyword === 'const';
  return keyword !== 'anyOf' && (keyword !== 'const' || !schemaPath.includes('/anyOf/'));
}

function describeFault({ instancePath, keyword, params, message }: ErrorObject): Finding {
  const path = fromPointer(instancePath);
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: string[] };
  if (additionalProperty !== undefined)
    return { path: [...path, additionalProperty], message: `The key "${additionalProperty}" is not allowed here.` };
  if (instancePath === '/version')
    return { path, message: 'The version must be "1", in quotes; no other version is supported.' };
  if (keyword === 'enum' && allowedValues !== undefined)
    return { path, message: `The value must be one of ${allowedValues.join(', ')}.` };
  return { path, message: `${path.at(-1) ?? 'The policy'} ${message ?? 'is not valid'}.` };
}

interface Findings {
  readonly errors: Finding[];
  readonly warnings: Finding[];
}

function lintDocument(document: PolicyDocument, known: readonly KnownTools[]): Findings {
  const findings: Findings = { errors: [], warnings: [] };
  const rules = document.rules ?? [];
  const fail = (path: Path, message: string): void => void findings.errors.push({ path, message });
  const warn = (path: Path, message: string): void => void findings.warnings.push({ path, message });
  findRepeated(rules.map(({ id }) => id)).forEach((index) => fail(['rules', index, 'id'], 'Another rule has this id.'));
  findRepeated((document.approval_workflows ?? []).map(({ name }) => name)).forEach((index) =>
    fail(['approval_workflows', index, 'name'], 'Another workflow has this name.'),
  );
  const patterns = new Map<string, number>();
  const judgeSeen = createSeenJudge(known);
  rules.forEach((rule, index) => lintRule(rule, ['rules', index], { fail, warn, patterns, judgeSeen }));
  (document.approval_workflows ?? []).forEach(({ approvers = [], quorum = 1 }, index) => {
    if (approvers.length > 0 && quorum > approvers.length)
      fail(
        ['approval_workflows', index, 'quorum'],
        `${quorum} approvals are impossible with ${approvers.length} people.`,
      );
  });
  const { unreachable, notJudgedFrom } = findUnreachableRules(rules);
  for (const { index, coveredBy } of unreachable)
    warn(['rules', index], `This rule is never reached: the earlier rule "${coveredBy}" matches all of its calls.`);
  if (notJudgedFrom !== undefined)
    warn(['rules', notJudgedFrom], 'The check for unreachable rules stops here, because the lists are too long.');
  return findings;
}

type Report = (path: Path, message: string) => void;

interface RuleLint {
  readonly fail: Report;
  readonly warn: Report;
  /** Patterns of the conditions checked so far, with their compiled sizes. */
  readonly patterns: Map<string, number>;
  readonly judgeSeen: (pattern: string) => string | undefined;
}

function lintRule(rule: PolicyRule, path: Path, lint: RuleLint): void {
  const { warn } = lint;
  if (rule.condition !== undefined) lintRuleCondition(rule.condition, [...path, 'condition'], lint);
  if (rule.action !== 'require_approval' && rule.workflow !== undefined)
    warn([...path, 'workflow'], 'Only require_approval uses a workflow.');
  if (rule.action !== 'require_approval' && rule.human_only === true)
    warn([...path, 'human_only'], 'Only require_approval uses approvers.');
  if (rule.description === undefined)
    warn(path, 'If there is no description, a denied caller is told only the id of the rule.');
  (rule.match?.tools ?? []).forEach((pattern, index) =>
    lintToolPattern(pattern, [...path, 'match', 'tools', index], lint),
  );
  for (const { key, names } of listNamePatterns(rule))
    names.forEach((name, index) => {
      const doubt = findNameDoubt(name);
      if (doubt !== undefined) warn([...path, 'match', key, index], doubt);
    });
}

function lintToolPattern(pattern: string, path: Path, { fail, warn, judgeSeen }: RuleLint): void {
  const fault = findToolPatternFault(pattern);
  if (fault !== undefined) return fail(path, fault);
  if (pattern !== '*' && !pattern.includes('/') && !pattern.startsWith('mcp__'))
    warn(path, `Without a server this matches the tool on every server: */${pattern}.`);
  const unseen = judgeSeen(pattern);
  if (unseen !== undefined) warn(path, unseen);
}

/**
 * Checks a condition. If the patterns of the document are already too large, no more conditions are checked, since that
 * would compile their patterns.
 */
function lintRuleCondition(condition: string, path: Path, { fail, warn, patterns }: RuleLint): void {
  const isFull = (): boolean => [...patterns.values()].reduce((sum, size) => sum + size, 0) > MAX_DOCUMENT_PROGRAM;
  if (isFull()) return;
  const { errors, warnings, programs } = lintCondition(condition);
  for (const message of errors) fail(path, message);
  for (const message of warnings) warn(path, message);
  for (const [pattern, size] of programs) patterns.set(pattern, size);
  if (isFull()) fail(path, 'The patterns of the document are too complex in total; the check stops here.');
}

function findRepeated(names: readonly string[]): number[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (seen.has(name)) return [index];
    seen.add(name);
    return [];
  });
}
