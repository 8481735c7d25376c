/** How servers report in a non-standard form that a call had no result, by the member that reports it. */
const OTHER_FAILURES: Readonly<Record<string, (json: string) => boolean>> = {
  '[].error': (json) => json !== 'null',
  detail: (json) => json !== 'null',
  success: (json) => json === 'false',
  code: (json) => json !== 'null' && !/^"?(?:0|200|success|ok|)"?$/i.test(json),
  'base_resp.status_code': (json) => json !== '0',
};
const FAILED_TYPES: ReadonlySet<string> = new Set(['"error"', '"response.failed"']);

export const FAILURE_PATHS: readonly string[] = ['error', ...Object.keys(OTHER_FAILURES)];

/** Hears the members of an answer that tell of a failure. */
export function createFailureReader(isStream: boolean) {
  let hasFailed = false;
  let hasFailedOtherwise = false;
  return {
    /** @returns whether the member is of no other use */
    note(member: string, json: string): boolean {
      if (member === 'type') hasFailed ||= isStream && FAILED_TYPES.has(json);
      else if (member.endsWith('status')) hasFailed ||= json === '"failed"';
      else if (member === 'error') hasFailed ||= json !== 'null';
      else if (Object.hasOwn(OTHER_FAILURES, member)) hasFailedOtherwise ||= OTHER_FAILURES[member]?.(json) === true;
      return FAILURE_PATHS.includes(member);
    },
    /** @param hasBegun - After a call has begun to answer, non-standard forms are ignored. */
    hasFailed: (hasBegun: boolean): boolean => hasFailed || (hasFailedOtherwise && !hasBegun),
  };
}
