import type { ToolServer } from '../../api/answers.ts';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';

const STATES: Readonly<Record<ToolServer['status'], readonly [Tone, string]>> = {
  unknown: ['none', 'Not loaded yet'],
  ok: ['ok', 'Answers'],
  failing: ['bad', 'Not responding'],
};

export function ServerState({ server }: { readonly server: Pick<ToolServer, 'status' | 'enabled'> }) {
  const [tone, word] = server.enabled ? STATES[server.status] : (['none', 'Disabled'] as const);
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
