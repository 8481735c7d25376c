import type { Execution } from '../../api/answers.ts';
import { StatusBadge, type States } from '../../ui/status-badge.tsx';

export const STATES: States<Execution['status']> = {
  PENDING: ['none', 'Pending'],
  INITIALIZING: ['info', 'Starting'],
  RUNNING: ['info', 'Running'],
  SUCCEEDED: ['ok', 'Succeeded'],
  FAILED: ['bad', 'Failed'],
  STOPPED: ['warn', 'Stopped'],
};

export function ExecutionState({ status }: Pick<Execution, 'status'>) {
  const [tone, word] = STATES[status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
