import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { SESSION_END_REASONS } from './data/session-ended.ts';
import { buildStrictSchema } from './strict-schema.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

const types = Object.keys(EVENT_TYPES) as EventType[];
const strict = new Map(types.map((type) => [type, ajv.compile(buildStrictSchema(EVENT_TYPES[type].schema))]));

/**
 * Returns whether a producer may emit the example of a type if some of its keys are changed; an undefined value removes
 * the key.
 */
function accepts(type: EventType, change: Readonly<Record<string, unknown>> = {}): boolean {
  const data = Object.fromEntries(
    Object.entries({ ...EVENT_TYPES[type].example, ...change }).filter(([, value]) => value !== undefined),
  );
  return strict.get(type)?.(data) === true;
}

const keysOf = (type: EventType): string[] => Object.keys(EVENT_TYPES[type].schema.properties);

describe('data of every event (EVT-5)', () => {
  it.each(types)('%s: every key is required, even if its value can be null', (type) => {
    const optional = keysOf(type).filter((key) => accepts(type, { [key]: undefined }));
    expect(optional).toEqual(type === 'flow.execution.finished' ? ['evidence_receipt'] : []);
  });

  it.each(types)('%s: an invalid id is refused', (type) => {
    const ids = keysOf(type).filter((key) => {
      const schema = EVENT_TYPES[type].schema.properties[key as never] as { format?: string };
      return schema.format === 'uuid';
    });
    expect(ids.filter((key) => accepts(type, { [key]: 'session 7' }))).toEqual([]);
  });

  it.each(types)('%s: numbers and flags have their JSON types', (type) => {
    const fields = Object.entries(EVENT_TYPES[type].example) as [string, unknown][];
    const wrong = fields.filter(([, value]) => typeof value === 'number' || typeof value === 'boolean');
    expect(wrong.filter(([key, value]) => accepts(type, { [key]: String(value) })).map(([key]) => key)).toEqual([]);
  });

  it.each(types)('%s: times are UTC (API-6)', (type) => {
    const times = keysOf(type).filter((key) => key.endsWith('_at'));
    expect(times.filter((key) => accepts(type, { [key]: '2026-11-20T10:00:00+01:00' }))).toEqual([]);
  });
});

describe('the data of an event', () => {
  it.each(['approval.created', 'approval.decided'] as const)('%s contains no tool arguments (EVT-14)', (type) => {
    expect(keysOf(type).filter((key) => /argument|args|input|payload/.test(key))).toEqual([]);
    expect(accepts(type, { arguments: { sql: 'drop table a' } })).toBe(false);
    expect(accepts(type, { rule: { ...ruleOf(type), arguments: {} } })).toBe(false);
  });

  it.each([
    ...['user_name', 'username', 'hostname', 'host_name', 'config_path', 'path', 'mcp_servers', 'email'],
    ...['mcp_server_url', 'credential', 'token', 'os_user'],
  ])('contains no %s in agent.discovered and agent.onboarded (EVT-15)', (key) => {
    expect(accepts('agent.discovered', { [key]: 'x' })).toBe(false);
    expect(accepts('agent.onboarded', { [key]: 'x' })).toBe(false);
  });

  it('the author of a note is a name, not an address', () => {
    const { author } = EVENT_TYPES['agent.note_sent'].example as { author: object };
    expect(accepts('agent.note_sent', { author: { ...author, email: 'dana@example.test' } })).toBe(false);
  });
});

describe('approvals', () => {
  it.each(['approved', 'declined', 'expired', 'cancelled'])('can end as %s, by any kind of actor', (decision) => {
    for (const kind of ['user', 'ai', 'bypass', 'system'])
      expect(accepts('approval.decided', { decision, actor: { kind, id: null } })).toBe(true);
  });

  it('cannot end as pending, or by another kind of actor', () => {
    expect(accepts('approval.decided', { decision: 'pending' })).toBe(false);
    expect(accepts('approval.decided', { actor: { kind: 'agent', id: 'a' } })).toBe(false);
  });

  it('that were decided contain all fields of approval.created', () => {
    expect(keysOf('approval.created').filter((key) => !keysOf('approval.decided').includes(key))).toEqual([]);
  });
});

describe('sessions and executions', () => {
  it.each(SESSION_END_REASONS)('a session can end with the reason %s (EVT-10)', (reason) => {
    expect(accepts('session.ended', { reason })).toBe(true);
  });

  it('a session has no other reason, and no negative duration', () => {
    expect(SESSION_END_REASONS).toEqual(['execution_finished', 'idle', 'operator']);
    expect(accepts('session.ended', { reason: 'timeout' })).toBe(false);
    expect(accepts('session.ended', { duration_seconds: 0 })).toBe(true);
    expect(accepts('session.ended', { duration_seconds: -1 })).toBe(false);
  });

  it.each(['SUCCEEDED', 'FAILED', 'STOPPED'])('an execution finishes as %s (EVT-11)', (status) => {
    expect(accepts('flow.execution.finished', { status })).toBe(true);
  });

  it.each(['PENDING', 'INITIALIZING', 'RUNNING'])('an execution that is %s has not finished', (status) => {
    expect(accepts('flow.execution.finished', { status })).toBe(false);
  });

  it('an evidence receipt is complete or null (EVT-11)', () => {
    const { evidence_receipt: receipt } = EVENT_TYPES['flow.execution.finished'].example as {
      evidence_receipt: Record<string, unknown>;
    };
    expect(accepts('flow.execution.finished', { evidence_receipt: undefined })).toBe(true);
    expect(accepts('flow.execution.finished', { evidence_receipt: null })).toBe(false);
    for (const key of Object.keys(receipt)) {
      const rest = Object.fromEntries(Object.entries(receipt).filter(([name]) => name !== key));
      expect(accepts('flow.execution.finished', { evidence_receipt: rest })).toBe(false);
    }
  });
});

describe('notes', () => {
  it('that were delivered contain all fields of agent.note_sent, and the channel (EVT-12)', () => {
    const more = keysOf('agent.note_delivered').filter((key) => !keysOf('agent.note_sent').includes(key));
    expect(more).toEqual(['delivered_at', 'delivery_channel', 'turn_index']);
    expect(keysOf('agent.note_sent').filter((key) => !keysOf('agent.note_delivered').includes(key))).toEqual([]);
  });

  it.each(['gateway', 'hook', 'assistant_channel', 'assistant_message'])('can be delivered by %s', (channel) => {
    expect(accepts('agent.note_delivered', { delivery_channel: channel })).toBe(true);
  });

  it('contain their text', () => {
    expect(accepts('agent.note_sent', { text: undefined })).toBe(false);
  });
});

describe('budgets, policies, agents', () => {
  it('both budget events have the same structure (EVT-16)', () => {
    expect(EVENT_TYPES['budget.exceeded'].schema).toEqual(EVENT_TYPES['budget.threshold'].schema);
  });

  it('an account budget has no subject id', () => {
    expect(accepts('budget.threshold', { scope: 'account', scope_id: null })).toBe(true);
    expect(accepts('budget.threshold', { scope: 'team' })).toBe(false);
  });

  it('a denial has the decision deny', () => {
    expect(accepts('policy.denied', { decision: 'allow' })).toBe(false);
  });

  it.each(['created', 'relinked', 'merged'])('an agent is onboarded as %s', (outcome) => {
    expect(accepts('agent.onboarded', { outcome })).toBe(true);
  });

  it('an agent is either discovered or registered', () => {
    expect(accepts('agent.onboarded', { source_type: 'imported' })).toBe(false);
    expect(accepts('agent.discovered', { status: 'seen' })).toBe(false);
  });
});

describe('the report of a vulnerability (EVT-17)', () => {
  const type = 'cra.reportable_vulnerability';

  it.each(['not_a_legal_determination', 'filing_is_manufacturer_responsibility'])('always contains %s', (key) => {
    expect(accepts(type, { [key]: true })).toBe(true);
    expect(accepts(type, { [key]: false })).toBe(false);
    expect(accepts(type, { [key]: undefined })).toBe(false);
  });

  it('has all three deadlines', () => {
    const { deadlines } = EVENT_TYPES[type].example as { deadlines: Record<string, string> };
    expect(Object.keys(deadlines)).toEqual(['early_warning_24h', 'notification_72h', 'final_report_14d']);
    for (const key of Object.keys(deadlines)) {
      const rest = Object.fromEntries(Object.entries(deadlines).filter(([name]) => name !== key));
      expect(accepts(type, { deadlines: rest })).toBe(false);
    }
  });

  it('contains the audit’s statement about the product unchanged', () => {
    expect(accepts(type, { affected: { firmware: ['1.0'], since: null } })).toBe(true);
    expect(accepts(type, { affected: 'router' })).toBe(false);
  });
});

function ruleOf(type: 'approval.created' | 'approval.decided'): object {
  return (EVENT_TYPES[type].example as unknown as { rule: object }).rule;
}
