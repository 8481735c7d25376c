import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { checkSchedule, readScheduleClock, type FlowFields, type FlowRow } from '@steward/flows';

type Scheduled = Pick<FlowFields, 'trigger' | 'schedule_config'>;

/**
 * Refuses an invalid schedule, and the trigger `schedule` without a schedule. If neither the trigger nor the schedule
 * has changed, the schedule is accepted, even if it has ended.
 * @throws AppError `invalid_request`
 */
export async function requireSchedule(
  db: AnyDatabase,
  fields: Partial<Scheduled>,
  current?: Pick<FlowRow, 'trigger' | 'schedule_config'>,
): Promise<void> {
  const merged = { ...current, ...fields };
  const { schedule_config: config, trigger } = merged;
  if (current !== undefined && trigger === current.trigger && isDeepStrictEqual(config, current.schedule_config))
    return;
  if (config === undefined || config === null) {
    if (trigger === 'schedule') refuse('schedule_config', 'is required by the trigger "schedule"');
    return;
  }
  const problem = checkSchedule(config, await readScheduleClock(db));
  if (problem === undefined) return;
  refuse(problem.field === null ? 'schedule_config' : `schedule_config.${problem.field}`, problem.problem);
}

function refuse(field: string, problem: string): never {
  throw new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
