import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import type { KillSwitch } from '@steward/identity';

const state = {
  engaged: Type.Boolean({ description: 'Whether the agents of the account are stopped.' }),
  reason: nullable(Type.String()),
  changed_at: nullable(Type.String({ format: 'date-time' })),
  changed_by: nullable(Type.Object({ user_id: Type.String({ format: 'uuid' }), username: nullable(Type.String()) })),
};

export const KillSwitchAnswer = Type.Object(state, { additionalProperties: false });

export const ThrownKillSwitchAnswer = Type.Object(
  {
    ...state,
    stopped_executions: Type.Integer({ description: 'Number of executions that this call stopped.' }),
    cancelled_approval_requests: Type.Integer({ description: 'Number of approval requests that this call cancelled.' }),
  },
  { additionalProperties: false },
);

export const KillSwitchBody = Type.Object(
  {
    engaged: Type.Boolean({ description: 'True stops the agents of the account; false lets them act again.' }),
    reason: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 500, description: 'Reason; visible to people.' })),
    ),
  },
  { additionalProperties: false },
);

export function presentKillSwitch({ isEngaged, reason, changedAt, changedBy }: KillSwitch) {
  return {
    engaged: isEngaged,
    reason: reason ?? null,
    changed_at: changedAt ?? null,
    changed_by: changedBy === undefined ? null : { user_id: changedBy.userId, username: changedBy.username ?? null },
  };
}
