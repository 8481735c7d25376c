import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { EvidenceStores, FlowBoxes } from '@steward/flows';
import type { SessionWriteSettings } from '@steward/sessions';
import type { OpenRequests, ReadAudits, SecretBoxes } from '@steward/api';
import type { SharedReads } from './shared-reads.ts';

/** Dependencies of the routes for flows and executions. */
export interface FlowDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: SessionWriteSettings & { readonly accountMaxFlows: number };
  readonly clock: Clock;
  readonly secretBoxes: Pick<SecretBoxes, 'flow' | 'flowAgent'>;
  readonly evidenceStores: EvidenceStores;
  readonly openRequests: Pick<OpenRequests, 'waits' | 'downloads'>;
  readonly readAudits: ReadAudits;
}

/** Dependencies of the routes that wait for an execution; these routes share their reads. */
export type WaitDeps = FlowDeps & { readonly sharedReads: SharedReads };

export function flowBoxes({ secretBoxes }: FlowDeps): FlowBoxes {
  return { webhook: secretBoxes.flow, agent: secretBoxes.flowAgent };
}

export function mayEdit(principal: Principal): { readonly mayEdit: boolean } {
  return { mayEdit: principal.permissions.has('edit_flows') };
}
