import type { Agent } from '../../api/answers.ts';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';

const STATES: Readonly<Record<Agent['lifecycle_state'], readonly [Tone, string]>> = {
  active: ['ok', 'Active'],
  suspended: ['warn', 'Suspended'],
  retired: ['none', 'Retired'],
};

export function AgentState({ agent }: { readonly agent: Pick<Agent, 'lifecycle_state' | 'merged_into'> }) {
  const [tone, word] = agent.merged_into === null ? STATES[agent.lifecycle_state] : (['none', 'Merged'] as const);
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
