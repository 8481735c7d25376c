import type { Clock, FairShare } from '@steward/async';
import { AppError, type Edition } from '@steward/contracts';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { DocumentProblem, PolicyReader } from '@steward/policies';
import type { SecretBoxes } from '@steward/api';
import type { DocumentChecker } from './document-checker.ts';

/** Dependencies of the policy routes. */
export interface PoliciesDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly policies: PolicyReader;
  readonly conditionTime: FairShare;
  readonly documents: DocumentChecker;
  readonly broker: HintPublisher;
  readonly settings: { readonly edition: Edition };
  readonly secretBoxes: Pick<SecretBoxes, 'webhook'>;
}

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
