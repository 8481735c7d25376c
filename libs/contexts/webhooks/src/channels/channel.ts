import type { EventData, Permission, SubscribableEventType } from '@steward/contracts';
import type { Endpoint } from '../endpoints/rules/endpoint-view.ts';
import { ENDPOINT_FAILING } from '../outbox/rules/message-types.ts';

/** Services that notices are posted to. */
export const CHANNEL_KINDS = ['slack', 'teams', 'ntfy'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
/** All kinds of receivers of notices: channels of the account, and browsers of a user (`web_push`). */
export type NoticeKind = ChannelKind | 'web_push';

/**
 * The notices that a channel can receive, each with the permission that is required to read the subject of the notice.
 */
export const NOTICES = {
  'approval.created': 'view_approvals',
  'approval.decided': 'view_approvals',
  'budget.threshold': 'view_cost',
  'budget.exceeded': 'view_cost',
  [ENDPOINT_FAILING]: 'view_policies',
  'policy.denied': 'view_policies',
  'agent.discovered': 'view_agents',
  'cra.reportable_vulnerability': 'view_flows',
} as const satisfies Partial<Record<SubscribableEventType | typeof ENDPOINT_FAILING, Permission>>;
export type NoticeType = keyof typeof NOTICES;
export const NOTICE_TYPES = Object.keys(NOTICES) as NoticeType[];

/** Content of the notice about an endpoint whose deliveries are failing or were given up. */
export interface EndpointFailure {
  readonly endpoint_id: string;
  readonly source: string;
  readonly description: string;
  /** URL of the endpoint without its path, which may be secret. */
  readonly origin: string | null;
  readonly consecutive_failures: number;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly paused_until: string | null;
  /**
   * Number of deliveries that were given up in the hour that began at `given_up_since`, if that is the reason for the
   * notice.
   */
  readonly given_up?: number;
  readonly given_up_since?: string;
}

export type NoticeData<Type extends NoticeType | 'webhook.test'> = Type extends typeof ENDPOINT_FAILING
  ? EndpointFailure
  : Type extends SubscribableEventType | 'webhook.test'
    ? EventData<Type>
    : never;

/** A notice channel of an account in the form shown to users; never contains its token. */
export interface Channel extends Omit<Endpoint, 'source' | 'keepsAnswers' | 'eventTypes'> {
  readonly kind: ChannelKind;
  readonly notices: readonly NoticeType[];
}

/** Maximum number of channels of an account (LIM-107). */
export const MAX_CHANNELS_PER_ACCOUNT = 10;
