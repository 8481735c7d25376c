import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { DocumentProblem, PolicyReader } from '@steward/slice-policies';

/** What policies are served from. */
export interface PoliciesDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly policies: PolicyReader;
}

export const POLICIES_PATH = '/api/v1/policies';
export const POLICY_RESOURCE = 'policy';

export function refuseDocument(errors: readonly DocumentProblem[], warnings: readonly DocumentProblem[]): AppError {
  const [first] = errors;
  const place = first === undefined ? '' : ` Line ${first.line}, column ${first.column}: ${first.message}`;
  return new AppError('invalid_policy', {
    message: `The policy is not valid.${place}`,
    detail: { errors, warnings },
  });
}

export function refuseStale(version: number): AppError {
  return new AppError('precondition_failed', { detail: { version } });
}
