import { LRUCache } from 'lru-cache';
import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import { noteAgentActivity, type AgentActivity as Activity } from '@steward/agents';

/** Records activity of registered agents, to detect whether their rules are in force (AGT-10). */
export interface AgentActivity {
  /** Returns immediately; the activity is recorded in the background. */
  note(principal: Pick<Principal, 'accountId' | 'runtimePrincipal'>, activity: Activity): void;
}

const MAX_AGENTS = 10_000;
/** Minimum interval between writes of the same activity; the database ignores more frequent ones. */
const EVERY_MS = 60_000;

export function createAgentActivity(deps: {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
}): AgentActivity {
  const noted = new LRUCache<string, true>({ max: MAX_AGENTS, ttl: EVERY_MS });
  return {
    note({ accountId, runtimePrincipal: agent }, activity) {
      if (agent?.type !== 'managed_agent') return;
      const key = `${activity} ${agent.id}`;
      if (noted.has(key)) return;
      noted.set(key, true);
      noteAgentActivity(deps.db, { accountId, id: agent.id }, activity, deps.clock.now()).catch((error: unknown) => {
        noted.delete(key);
        deps.logger.warn('agents.activity_not_noted', { error });
      });
    },
  };
}
