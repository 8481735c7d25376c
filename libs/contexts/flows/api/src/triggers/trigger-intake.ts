import { createBatchQueue, type Clock } from '@steward/async';
import {
  refuseBusy,
  type AnyDatabase,
  type HintBatchPublisher,
  type HintPublisher,
  type StatementPool,
} from '@steward/database';
import { toSessionWriteOptions, type SessionWriteSettings } from '@steward/sessions';
import {
  acceptTriggers,
  findWebhookFlows,
  isAlone,
  mayAcceptSingly,
  type Trigger,
  type TriggerOutcome,
  type WebhookAddress,
  type WebhookFlow,
} from '@steward/flows';
import type { LargeBodyGate } from '@steward/api';
import { createTriggerBudget, type TriggerBudget } from './trigger-budget.ts';

/** Handles every trigger of this process, on any surface. */
export interface TriggerIntake {
  readonly budget: TriggerBudget;
  readonly largeBodies: LargeBodyGate;
  /**
   * Returns the flow in a state that is not older than the call; undefined if the flow is unknown or has no webhook, or
   * if the secret is wrong.
   */
  findWebhookFlow(address: WebhookAddress): Promise<WebhookFlow | undefined>;
  /**
   * Accepts a trigger; the promise resolves when the outcome has been committed. If `waits` is set, the call waits
   * until a locked flow is unlocked.
   */
  accept(trigger: Trigger, options: { readonly waits: boolean }): Promise<TriggerOutcome>;
  /** Resolves when nothing is in progress. */
  drain(): Promise<void>;
}

export interface TriggerIntakeDeps {
  readonly db: AnyDatabase;
  readonly pool: StatementPool;
  readonly broker: HintPublisher & HintBatchPublisher;
  readonly clock: Clock;
  readonly settings: SessionWriteSettings & { readonly flowTriggerRatePerMinute: number };
  readonly largeBodies: LargeBodyGate;
}

/**
 * Limits of the queues. A separate transaction for each trigger would cost a flush to disk and several round trips, so
 * triggers that arrive while a statement runs are written together by the next statement (ADR 0014). The limit of
 * waiting triggers keeps their bodies below 32 MB during an outage.
 */
const LIMITS = { maxItems: 64, maxWaiting: 1000, timeoutMs: 5000, refuse: refuseBusy };

/**
 * Maximum length of a trigger in a batch: longer triggers gain nothing from a batch, and would turn it into a statement
 * of many MB.
 */
const MAX_BATCHED_LENGTH = 32 * 1024;

export function createTriggerIntake({ settings, largeBodies, ...deps }: TriggerIntakeDeps): TriggerIntake {
  const acceptDeps = { ...deps, options: toSessionWriteOptions(settings) };
  const flows = createBatchQueue<WebhookAddress, WebhookFlow | undefined>({
    ...LIMITS,
    run: (addresses) => findWebhookFlows(deps.pool, addresses),
    mayRunSingly: mayAcceptSingly,
  });
  const triggers = createBatchQueue<Trigger, TriggerOutcome>({
    ...LIMITS,
    run: (batch) => acceptTriggers(acceptDeps, batch),
    mayRunSingly: mayAcceptSingly,
  });
  return {
    budget: createTriggerBudget({ perMinute: settings.flowTriggerRatePerMinute }),
    largeBodies,
    findWebhookFlow: (address) => flows.add(address),
    async accept(trigger, options) {
      const mayJoin = !options.waits && !isAlone(trigger) && trigger.details.length <= MAX_BATCHED_LENGTH;
      if (mayJoin) return triggers.add(trigger);
      const [outcome] = await acceptTriggers(acceptDeps, [trigger], options);
      return outcome as TriggerOutcome;
    },
    async drain() {
      await flows.drain();
      await triggers.drain();
    },
  };
}
