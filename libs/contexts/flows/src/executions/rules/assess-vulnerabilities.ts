import type { EventData } from '@steward/contracts';
import type { ReportingConfig } from '../../schema.ts';
import type { ExecutionStatus } from './execution-status.ts';
import { computeDeadlines } from './reporting-deadlines.ts';
import { findEntryProblem, readAffected, readCve, readExploited, type CompleteEntry } from './vulnerability-entry.ts';

/** Maximum number of entries of a result that are considered; later ones are never reported (LIM-63). */
export const MAX_VULNERABILITIES = 200;

/** Reasons why an entry is reported or not. */
export const VULNERABILITY_REASONS = {
  reportable: 'It is exploited and affects the product.',
  not_exploited: 'The audit says that it is not exploited.',
  exploitation_unknown: 'The audit does not say whether it is exploited.',
  not_affected: 'The audit says that the product is not affected.',
  affected_unknown: 'The audit does not say that the product is affected.',
  malformed: 'The entry cannot be read.',
  duplicate: 'The same CVE occurs earlier in this result.',
  beyond_limit: `Only the first ${MAX_VULNERABILITIES} entries of a result are reported.`,
  reporting_off: 'Reporting was off when this execution was triggered.',
  not_succeeded: 'Only executions with status SUCCEEDED are reported.',
} as const;
export type VulnerabilityReason = keyof typeof VULNERABILITY_REASONS;

/** The report of an entry, as contained in its event. */
export type VulnerabilityReport = Omit<
  EventData<'cra.reportable_vulnerability'>,
  'execution_id' | 'flow_id' | 'flow_name'
>;

export interface AssessedVulnerability {
  /** Index in the result, from 0. */
  readonly index: number;
  /** Canonical CVE id; null if the entry has none. */
  readonly cve: string | null;
  readonly reason: VulnerabilityReason;
  /** The exact error, for `malformed`. It contains no data of the entry. */
  readonly problem?: string;
  /** Set only for reportable entries. */
  readonly report?: VulnerabilityReport;
}

/** A run with its stored result. */
export interface EndedRun {
  readonly status: ExecutionStatus;
  readonly result: unknown;
  readonly reporting: ReportingConfig | null;
  readonly finished_at: Date | null;
}

/** Returns the list under `vulnerabilities` in a result; undefined if there is none. */
export function readVulnerabilities(result: unknown): readonly unknown[] | undefined {
  const list =
    typeof result === 'object' && result !== null
      ? (result as { readonly vulnerabilities?: unknown }).vulnerabilities
      : undefined;
  return Array.isArray(list) ? (list as unknown[]) : undefined;
}

/**
 * Assesses every vulnerability in a run's result. The function is deterministic: the returned reports equal those that
 * were emitted.
 */
export function assessVulnerabilities(run: EndedRun): AssessedVulnerability[] {
  const { finished_at: finishedAt } = run;
  if (finishedAt === null) return [];
  const reported = new Set<string>();
  return (readVulnerabilities(run.result) ?? []).map((entry, index) => {
    if (index >= MAX_VULNERABILITIES) return { index, cve: null, reason: 'beyond_limit' };
    const assessed = { index, ...assessEntry(entry, finishedAt) };
    if (assessed.cve === null || assessed.report === undefined) return assessed;
    const reason = findObstacle(run, reported.has(assessed.cve));
    if (reason !== undefined) return { index, cve: assessed.cve, reason };
    reported.add(assessed.cve);
    return assessed;
  });
}

/** Returns the reason that prevents the report of an otherwise reportable entry. */
function findObstacle(run: EndedRun, isReported: boolean): VulnerabilityReason | undefined {
  if (run.reporting?.cra !== true) return 'reporting_off';
  if (run.status !== 'SUCCEEDED') return 'not_succeeded';
  return isReported ? 'duplicate' : undefined;
}

function assessEntry(value: unknown, finishedAt: Date): Omit<AssessedVulnerability, 'index'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { cve: null, reason: 'malformed', problem: 'it is not an object' };
  const entry = value as Readonly<Record<string, unknown>>;
  const cve = readCve(entry.cve);
  const malformed = (problem: string) => ({ cve, reason: 'malformed', problem }) as const;
  if (cve === null) return malformed('"cve" is not a CVE id');
  const exploited = readExploited(entry.actively_exploited);
  if (exploited === 'malformed') return malformed('"actively_exploited" is not true or false');
  if (exploited !== true) return { cve, reason: exploited === false ? 'not_exploited' : 'exploitation_unknown' };
  const affected = readAffected(entry.affected, entry.vex_status);
  if (affected === 'malformed') return malformed('"affected" is not yes or no');
  if (affected !== true) return { cve, reason: affected === false ? 'not_affected' : 'affected_unknown' };
  const problem = findEntryProblem(entry, finishedAt);
  if (problem !== undefined) return malformed(problem);
  return { cve, reason: 'reportable', report: buildReport(cve, entry as unknown as ReportableEntry) };
}

type ReportableEntry = CompleteEntry & { readonly affected: true | Readonly<Record<string, unknown>> };

function buildReport(cve: string, entry: ReportableEntry): VulnerabilityReport {
  const discoveredAt = new Date(entry.discovered_at);
  return {
    cve,
    actively_exploited: true,
    exploited_evidence: entry.exploited_evidence,
    affected: entry.affected === true ? { affected: true } : entry.affected,
    vex_status: entry.vex_status,
    discovered_at: discoveredAt.toISOString(),
    deadlines: computeDeadlines(discoveredAt),
    status: 'reportable',
    assessment: entry.assessment,
    kev_snapshot_date: entry.kev_snapshot_date ?? null,
    kev_source_url: entry.kev_source_url ?? null,
    not_a_legal_determination: true,
    filing_is_manufacturer_responsibility: true,
  };
}
