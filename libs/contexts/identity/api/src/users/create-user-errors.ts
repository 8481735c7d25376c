import { AppError } from '@steward/contracts';
import type { CreateUserOutcome, User } from '@steward/identity';

/** Returns the created user. @throws 409 naming the taken field, 422 for an unknown role. */
export function requireCreatedUser(outcome: CreateUserOutcome): User {
  if (outcome.kind === 'created') return outcome.user;
  if (outcome.kind === 'unknown_role') throw unknownRole();
  throw new AppError('conflict', {
    message: `This ${outcome.field} is already in use.`,
    detail: { field: outcome.field },
  });
}

export function unknownRole(): AppError {
  return new AppError('invalid_request', {
    message: '"role" is not a role of this account.',
    detail: { field: 'role' },
  });
}
