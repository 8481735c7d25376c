import { showSigns } from '@steward/text';
import { ENDPOINT_FAILING, type NoticeData, type NoticeType } from '@steward/webhooks';
import type { Notice, NoticeFact } from './notice.ts';

type DescribedType = NoticeType | 'webhook.test';

type OptionalFact = readonly [label: string, value: string | null | undefined];
interface Words extends Omit<Notice, 'facts'> {
  readonly facts: readonly OptionalFact[];
}

/** Maximum length of a title, and of the value of a fact (LIM-108). */
const MAX_TITLE = 150;
const MAX_VALUE = 300;

const DESCRIPTIONS: { readonly [Type in DescribedType]: (data: NoticeData<Type>) => Words } = {
  'approval.created': (data) => ({
    title: `Approval needed: ${data.tool_name}`,
    facts: [...describeCall(data), ['Expires', showTime(data.expires_at)]],
    path: `/approvals/${data.approval_request_id}`,
    urgency: 'high',
  }),
  'approval.decided': (data) => ({
    title: `Request ${data.decision}: ${data.tool_name}`,
    facts: [...describeCall(data), ['Decided by', DECIDERS[data.actor.kind]], ['Comment', data.comment]],
    path: `/approvals/${data.approval_request_id}`,
    urgency: 'normal',
  }),
  'policy.denied': (data) => ({
    title: `Call denied: ${data.tool_name}`,
    facts: [
      ['Rule', data.rule_description],
      ['Condition', data.condition_matched],
    ],
    path: data.execution_id === null ? '/policies' : `/executions/${data.execution_id}`,
    urgency: 'normal',
  }),
  'budget.threshold': (data) => ({
    title: `Budget: ${data.percent_used}% used`,
    facts: describeBudget(data),
    path: '/budgets',
    urgency: 'high',
  }),
  'budget.exceeded': (data) => ({
    title: `Budget used up: ${data.percent_used}% used`,
    facts: describeBudget(data),
    path: '/budgets',
    urgency: 'urgent',
  }),
  [ENDPOINT_FAILING]: (data) => (data.given_up === undefined ? describePause(data) : describeGivenUp(data)),
  'agent.discovered': (data) => ({
    title: `New agent found: ${data.agent_kind}`,
    facts: [
      ['Version', data.agent_version],
      ['System', data.os_family],
      ['MCP servers', String(data.mcp_server_count)],
    ],
    path: '/agents/discovered',
    urgency: 'normal',
  }),
  'cra.reportable_vulnerability': (data) => ({
    title: `Exploited vulnerability found: ${data.cve}`,
    facts: [
      ['Flow', data.flow_name],
      ['Status', data.vex_status],
      ['Early warning due', showTime(data.deadlines.early_warning_24h)],
    ],
    path: `/executions/${data.execution_id}`,
    urgency: 'urgent',
  }),
  'webhook.test': () => ({
    title: 'Test notice from Steward',
    facts: [['Message', 'This channel can receive notices.']],
    path: '/overview',
    urgency: 'normal',
  }),
};

const DECIDERS = { user: 'a person', ai: 'a model', bypass: 'a bypass', system: 'Steward' } as const;

/**
 * Title of a notice whose data was removed, because the session was deleted or the data was too large (EVT-7, EVT-18).
 */
const NAMES: Record<DescribedType, string> = {
  'approval.created': 'Approval needed',
  'approval.decided': 'Request decided',
  'policy.denied': 'Call denied',
  'budget.threshold': 'Budget threshold reached',
  'budget.exceeded': 'Budget used up',
  [ENDPOINT_FAILING]: 'Deliveries fail',
  'agent.discovered': 'New agent found',
  'cra.reportable_vulnerability': 'Exploited vulnerability found',
  'webhook.test': 'Test notice from Steward',
};

/** Describes a stored event; undefined if there is no notice for its type. */
export function describeNotice(body: Buffer): Notice | undefined {
  const { type, data } = JSON.parse(body.toString()) as { type: string; data: object };
  if (!Object.hasOwn(DESCRIPTIONS, type)) return undefined;
  const { facts, title, ...rest } = describe(type as DescribedType, data);
  return {
    ...rest,
    title: cut(showSigns(title).replace(/\s+/g, ' '), MAX_TITLE),
    facts: facts.flatMap(([label, value]): NoticeFact[] =>
      value === null || value === undefined || value === '' ? [] : [[label, cut(showSigns(value), MAX_VALUE)]],
    ),
  };
}

function describe<Type extends DescribedType>(type: Type, data: object): Words {
  if ('truncated' in data && 'reason' in data)
    return { title: NAMES[type], facts: [['Details', String(data.reason)]], path: '/overview', urgency: 'normal' };
  // The data was checked against the schema of its type when it was stored.
  return DESCRIPTIONS[type](data as NoticeData<Type>);
}

function describeCall(data: NoticeData<'approval.created'>): OptionalFact[] {
  return [
    ['Summary', data.summary],
    ['Agent', data.managed_agent_name ?? data.managed_agent_id],
    ['Rule', data.rule?.rule_name ?? data.rule?.rule_id],
  ];
}

function describePause(data: NoticeData<typeof ENDPOINT_FAILING>): Words {
  return {
    title: `Deliveries fail: ${nameEndpoint(data)}`,
    facts: [
      ['Failures in a row', String(data.consecutive_failures)],
      ['Last error', data.error],
      ['Paused until', showTime(data.paused_until)],
    ],
    path: data.source === 'account' ? `/event-webhooks/endpoints/${data.endpoint_id}` : '/event-webhooks/deliveries',
    urgency: 'high',
  };
}

/**
 * Describes an endpoint whose deliveries were given up, but which is not paused, because only some of its deliveries
 * fail.
 */
function describeGivenUp(data: NoticeData<typeof ENDPOINT_FAILING>): Words {
  return {
    title: `Deliveries given up: ${nameEndpoint(data)}`,
    facts: [
      ['Deliveries given up', String(data.given_up)],
      ['Since', showTime(data.given_up_since ?? null)],
      ['Last error', data.error],
    ],
    path: data.source === 'account' ? `/event-webhooks/endpoints/${data.endpoint_id}` : '/event-webhooks/dead-letters',
    urgency: 'high',
  };
}

function describeBudget(data: NoticeData<'budget.threshold'>): OptionalFact[] {
  return [
    ['Spent', `${data.spent_amount} of ${data.limit_amount} ${data.currency}`],
    ['Scope', [data.scope.replaceAll('_', ' '), data.scope_id].filter((each) => each !== null).join(' ')],
    ['Period', data.period],
  ];
}

function nameEndpoint({ source, description, origin }: NoticeData<typeof ENDPOINT_FAILING>): string {
  if (source === 'mail') return 'mail';
  return description === '' ? (origin ?? 'an endpoint') : description;
}

/** Formats a time in UTC (`2026-11-20 09:35 UTC`), because the readers of a channel may be in several time zones. */
function showTime(time: string | null): string | null {
  return time === null ? null : `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Shortens a text without splitting a character. */
function cut(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}
