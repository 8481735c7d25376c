import { AppError } from '@steward/contracts';
import { readAgentConfig, type FlowFields } from '@steward/flows';

/**
 * Refuses an agent configuration that the worker could not run: an error when the configuration is saved is better than
 * an error in the first execution.
 */
export function checkAgentConfig(agentType: FlowFields['agent_type'], config: FlowFields['agent_config']): void {
  const outcome = readAgentConfig(agentType, config);
  if (outcome.kind === 'valid') return;
  const { field, problem } = outcome;
  throw new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
