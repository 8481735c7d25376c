import { AppError } from '@steward/contracts';

/** @throws AppError `not_found` for no flow, `flow_disabled` for one that is switched off */
export function requireEnabled<Flow extends { readonly is_enabled: boolean }>(flow: Flow | undefined): Flow {
  if (flow === undefined) throw new AppError('not_found');
  if (!flow.is_enabled) throw new AppError('flow_disabled');
  return flow;
}
