import { toStorableJson } from '@steward/text';
import { assessVulnerabilities, readVulnerabilities, type EndedRun } from './assess-vulnerabilities.ts';

export interface ReportLine {
  readonly level: 'info' | 'warn';
  readonly text: string;
}

/**
 * Returns log lines about the vulnerabilities in a run's result: one line for each entry that is reported or cannot be
 * read, one for all entries beyond the limit, and a summary; or only a warning if the result has no list. Returns no
 * lines for a flow that does not report, or for a run that did not succeed.
 */
export function describeReport(found: EndedRun): ReportLine[] {
  // The result is converted to its stored form, because the reports are created from this form at the end of the run.
  const run = { ...found, result: toStorableJson(found.result) };
  if (run.reporting?.cra !== true || run.status !== 'SUCCEEDED') return [];
  const entries = readVulnerabilities(run.result);
  if (entries === undefined) {
    const text =
      'the result has no list "vulnerabilities": nothing is reported, which does not mean that the product is safe';
    return [{ level: 'warn', text }];
  }
  const assessed = assessVulnerabilities(run);
  const reported = assessed.filter(({ report }) => report !== undefined);
  const beyond = assessed.filter(({ reason }) => reason === 'beyond_limit').length;
  return [
    ...assessed.flatMap(({ index, cve, problem, report }): ReportLine[] => {
      const name = `vulnerability ${index + 1}${cve === null ? '' : ` (${cve})`}`;
      if (problem !== undefined) return [{ level: 'warn', text: `${name} is not reported: ${problem}` }];
      return report === undefined
        ? []
        : [{ level: 'info', text: `${name} is reported; early warning by ${report.deadlines.early_warning_24h}` }];
    }),
    ...(beyond === 0 ? [] : [{ level: 'warn' as const, text: `${beyond} more vulnerabilities are not examined` }]),
    { level: 'info', text: `${reported.length} of ${entries.length} vulnerabilities are reported` },
  ];
}
