import { AppError } from '@steward/contracts';

interface TriggeredFlow {
  readonly is_enabled: boolean;
  /**
   * Whether the agents of the account are stopped. The field is set only for inbound webhooks; for callers with a
   * credential, this state is checked earlier.
   */
  readonly is_halted?: boolean;
}

/**
 * Returns the flow, if it may be started.
 * @throws AppError `not_found` without a flow, `kill_switch_engaged` if the agents of its account are stopped,
 * `flow_disabled` if it is disabled
 */
export function requireEnabled<Flow extends TriggeredFlow>(flow: Flow | undefined): Flow {
  if (flow === undefined) throw new AppError('not_found');
  if (flow.is_halted === true) throw new AppError('kill_switch_engaged');
  if (!flow.is_enabled) throw new AppError('flow_disabled');
  return flow;
}
