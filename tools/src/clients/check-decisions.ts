import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Workplace } from './agents.ts';
import { tell, type Line } from './line.ts';
import type { Step } from './plan.ts';
import { DENIED, DEPOT } from './rules.ts';
import type { Depot } from './start-depot.ts';
import { describeDecline } from './start-reviewer.ts';

/**
 * Calls that the hook checks: one is allowed, one denied, one held and approved, one repeated (an approval is valid for
 * only one call), and one held and declined.
 */
const HOOK_STEPS: readonly Step[] = [
  { shell: 'echo allowed > allowed.txt' },
  { shell: 'rm -r keep' },
  { shell: 'echo once >> approved.txt' },
  { shell: 'echo once >> approved.txt' },
  { shell: 'echo no >> declined.txt' },
];

const call = (tool: string, parcel: string): Step => ({ tool: `${DEPOT}__${tool}`, arguments: { parcel } });

/** Same calls through the service's tool server. */
const SERVICE_STEPS: readonly Step[] = [
  call('look', 'allowed'),
  call('wipe', 'denied'),
  call('ship', 'approved'),
  call('ship', 'approved'),
  call('ship', 'declined'),
];

export const listDecidedSteps = ({ hook }: Client): readonly Step[] => [
  ...(hook === undefined ? [] : HOOK_STEPS),
  ...SERVICE_STEPS,
];

export interface Outcome {
  readonly place: Workplace;
  readonly depot: Depot;
  /** Decisions made by the reviewer. */
  readonly decisions: readonly string[];
  /** Text that the model received, as it is stored. */
  readonly told: string;
}

/** Checks the calls of the plan by their effects, and by the text that the model received. */
export function checkDecisions(client: Client, { place, depot, decisions, told }: Outcome): readonly Line[] {
  const byHook = (check: string, passed: boolean): Line =>
    tell(`hook: ${check}`, client.hook === undefined ? undefined : passed, decisions.join(', '));
  const byService = (check: string, passed: boolean): Line => tell(`MCP: ${check}`, passed, decisions.join(', '));
  const file = (name: string): string => {
    const path = join(place.folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const asked = client.hook === undefined ? 3 : 6;
  return [
    byHook('allowed', file('allowed.txt') === 'allowed\n'),
    byHook('denied', existsSync(join(place.folder, 'keep')) && told.includes(DENIED.hook)),
    byHook('held, approved, executed once', file('approved.txt') === 'once\n'),
    byHook('held, declined, not executed', file('declined.txt') === '' && told.includes(describeDecline('local'))),
    byService('allowed', depot.countRuns('look', 'allowed') === 1),
    byService('denied', depot.countRuns('wipe', 'denied') === 0 && told.includes(DENIED.service)),
    byService('held, approved, executed once', depot.countRuns('ship', 'approved') === 1),
    byService(
      'held, declined, not executed',
      depot.countRuns('ship', 'declined') === 0 && told.includes(describeDecline(DEPOT)),
    ),
    tell(
      'people are asked once for each held call',
      decisions.length === asked,
      `${decisions.length} of ${asked}: ${decisions.join(', ')}`,
    ),
  ];
}
