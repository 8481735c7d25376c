/**
 * Functions that recognize a failure that a server reports in a non-standard form, keyed by the member that reports it.
 */
const OTHER_FAILURES: Readonly<Record<string, (json: string) => boolean>> = {
  '[].error': (json) => json !== 'null',
  detail: (json) => json !== 'null',
  success: (json) => json === 'false',
  code: (json) => json !== 'null' && !/^"?(?:0|200|success|ok|)"?$/i.test(json),
  'base_resp.status_code': (json) => json !== '0',
};
const FAILED_TYPES: ReadonlySet<string> = new Set(['"error"', '"response.failed"']);

export const FAILURE_PATHS: readonly string[] = ['error', ...Object.keys(OTHER_FAILURES)];

/** Reads the members of a response, and determines whether they report a failure. */
export class FailureReader {
  readonly #isStream: boolean;
  #hasFailed = false;
  #hasFailedOtherwise = false;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /**
   * Reads a member.
   * @returns true if the member is read only to detect failures, so that the caller can ignore it
   */
  note(member: string, json: string): boolean {
    if (member === 'type') this.#hasFailed ||= this.#isStream && FAILED_TYPES.has(json);
    else if (member.endsWith('status')) this.#hasFailed ||= json === '"failed"';
    else if (member === 'error') this.#hasFailed ||= json !== 'null';
    else if (Object.hasOwn(OTHER_FAILURES, member))
      this.#hasFailedOtherwise ||= OTHER_FAILURES[member]?.(json) === true;
    return FAILURE_PATHS.includes(member);
  }

  /**
   * Returns true if the response reports a failure.
   * @param hasBegun - True if model output was received or usage was reported; non-standard forms are then ignored
   */
  hasFailed(hasBegun: boolean): boolean {
    return this.#hasFailed || (this.#hasFailedOtherwise && !hasBegun);
  }
}
