import type { PolicyTrial } from '../../api/answers.ts';
import type { Tone } from '../../ui/status-badge.tsx';

/** Labels for the decision of a policy. */
export const DECISIONS: Readonly<Record<PolicyTrial['decision'], readonly [Tone, string]>> = {
  allow: ['ok', 'Allowed'],
  deny: ['bad', 'Denied'],
  require_approval: ['warn', 'Needs approval'],
};
