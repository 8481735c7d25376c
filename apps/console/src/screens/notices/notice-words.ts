import type { NoticeChannel, Permission } from '../../api/answers.ts';

export const KINDS: Readonly<Record<NoticeChannel['kind'], string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  ntfy: 'ntfy',
};

/** Hints about which URL a channel needs. */
export const URL_HINTS: Readonly<Record<NoticeChannel['kind'], string>> = {
  slack: 'URL of an incoming webhook.',
  teams: 'URL of a workflow that posts to a channel when a webhook request is received.',
  ntfy: 'URL of a topic, such as https://ntfy.sh/my-topic. On a public server, everyone who knows the name of the topic can read the notices.',
};

type NoticeName = NoticeChannel['notices'][number];

/** Labels of the notices, in the order in which they are offered. */
export const NOTICES: Readonly<Record<NoticeName, string>> = {
  'approval.created': 'A call waits for approval',
  'approval.decided': 'A request was decided',
  'budget.threshold': 'A budget reached a threshold',
  'budget.exceeded': 'A budget is used up',
  'webhook.endpoint_failing': 'Deliveries to an endpoint are failing or have failed permanently',
  'policy.denied': 'A call was denied',
  'agent.discovered': 'A new agent was found',
  'cra.reportable_vulnerability': 'An exploited vulnerability was found',
};
/** Permission for each notice: a notice is pushed only to users who may read the object that it is about. */
export const NOTICE_PERMISSIONS: Readonly<Record<NoticeName, Permission>> = {
  'approval.created': 'view_approvals',
  'approval.decided': 'view_approvals',
  'budget.threshold': 'view_cost',
  'budget.exceeded': 'view_cost',
  'webhook.endpoint_failing': 'view_policies',
  'policy.denied': 'view_policies',
  'agent.discovered': 'view_agents',
  'cra.reportable_vulnerability': 'view_flows',
};
export const NOTICE_NAMES = Object.keys(NOTICES) as NoticeName[];

/** Notices that are selected for a new channel by default, because somebody usually has to act on them. */
export const USUAL: readonly NoticeName[] = [
  'approval.created',
  'budget.threshold',
  'budget.exceeded',
  'webhook.endpoint_failing',
];
