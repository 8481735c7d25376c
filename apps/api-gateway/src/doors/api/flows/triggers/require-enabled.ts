import { AppError } from '@steward/contracts';

interface TriggeredFlow {
  readonly is_enabled: boolean;
  /** Set for inbound webhooks; callers with a credential are refused earlier. */
  readonly is_halted?: boolean;
}

/**
 * @throws AppError `not_found` for no flow, `kill_switch_engaged` for one of an account whose agents are stopped, `flow_disabled` for
 * one that is switched off
 */
export function requireEnabled<Flow extends TriggeredFlow>(flow: Flow | undefined): Flow {
  if (flow === undefined) throw new AppError('not_found');
  if (flow.is_halted === true) throw new AppError('kill_switch_engaged');
  if (!flow.is_enabled) throw new AppError('flow_disabled');
  return flow;
}
