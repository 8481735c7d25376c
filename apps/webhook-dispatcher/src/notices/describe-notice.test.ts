import { EVENT_TYPES } from '@steward/contracts';
import { describeNotice } from './describe-notice.ts';
import { formatNotice } from './format-notice.ts';

const store = (type: string, data: object) => Buffer.from(JSON.stringify({ type, data }));
const approval = (fields: object) =>
  describeNotice(store('approval.created', { ...EVENT_TYPES['approval.created'].example, ...fields }))!;

describe('the words of a notice', () => {
  it('show characters that are invisible or reorder others as their codes (APR-23, NTC-6)', () => {
    const { title, facts } = approval({ tool_name: 'cat\u202etxt.sh', summary: 'a\u200bb' });
    expect(title).toBe('Approval needed: cat\\u{202e}txt.sh');
    expect(facts[0]).toEqual(['Summary', 'a\\u{200b}b']);
  });

  it('are cut at their limits, between characters, and have a title of one line (LIM-108)', () => {
    const { title, facts } = approval({ tool_name: 'a\nb', summary: '😀'.repeat(400) });
    expect(title).toBe('Approval needed: a b');
    expect(facts[0]?.[1]).toBe(`${'😀'.repeat(299)}…`);
    expect([...approval({ tool_name: 'x'.repeat(400) }).title]).toHaveLength(150);
  });

  it('leave out what is not known', () => {
    const { facts } = approval({ summary: null, managed_agent_name: null, managed_agent_id: null, rule: null });
    expect(facts).toEqual([['Expires', '2026-11-20 09:35 UTC']]);
  });

  it('say why, if the data was removed because its session was deleted (EVT-18)', () => {
    const removed = { truncated: true, reason: 'The session was deleted.' };
    expect(describeNotice(store('approval.created', removed))).toMatchObject({
      title: 'Approval needed',
      facts: [['Details', 'The session was deleted.']],
    });
  });

  it('say how many deliveries were given up, if the endpoint is not paused (NTC-13)', () => {
    const failure = {
      ...{ endpoint_id: 'e-1', source: 'account', description: 'Billing', origin: 'https://billing.example.com' },
      ...{ consecutive_failures: 1, response_status: 422, error: 'HTTP 422', paused_until: null },
      ...{ given_up: 12, given_up_since: '2026-11-20T09:00:00.000Z' },
    };
    expect(describeNotice(store('webhook.endpoint_failing', failure))).toEqual({
      title: 'Deliveries given up: Billing',
      facts: [
        ['Deliveries given up', '12'],
        ['Since', '2026-11-20 09:00 UTC'],
        ['Last error', 'HTTP 422'],
      ],
      path: '/event-webhooks/endpoints/e-1',
      urgency: 'high',
    });
    expect(describeNotice(store('webhook.endpoint_failing', { ...failure, source: 'mail' }))).toMatchObject({
      title: 'Deliveries given up: mail',
      path: '/event-webhooks/dead-letters',
    });
  });

  it('exist for no other type', () => expect(describeNotice(store('session.ended', {}))).toBeUndefined());
});

describe('texts of agents in a message', () => {
  const hostile = approval({
    tool_name: '<!channel> & <https://evil.example|pay>',
    summary: '[pay](https://evil.example) *now* <@U1>',
  });
  const linked = { ...hostile, url: 'https://steward.example.test/approvals/1' };

  it('contain no mention and no link for Slack (NTC-6)', () => {
    const body = formatNotice('slack', linked, 'https://hooks.example.test/x').body as {
      text: string;
      blocks: { fields?: { type: string; text: string }[] }[];
    };
    expect(body.text).toBe('Approval needed: &lt;!channel&gt; &amp; &lt;https://evil.example|pay&gt;');
    const value = body.blocks.flatMap(({ fields = [] }) => fields).find(({ text }) => text.includes('evil'));
    expect(value?.type).toBe('plain_text');
  });

  it('are runs for Teams, which interpret no Markdown (NTC-6)', () => {
    const text = JSON.stringify(formatNotice('teams', linked, 'https://teams.example.test/x').body);
    expect(text).not.toContain('TextBlock"}');
    expect(text.match(/"type":"(?:TextBlock|FactSet)"/g)).toBeNull();
  });
});

describe('the address of a topic of ntfy', () => {
  it.each([
    ['https://ntfy.sh/alerts', 'https://ntfy.sh/', 'alerts'],
    ['https://example.test:8443/push/alerts', 'https://example.test:8443/push/', 'alerts'],
  ])('%s is posted to %s (NTC-5)', (address, root, topic) => {
    const { url, body } = formatNotice('ntfy', { ...approval({}), url: 'https://steward.example.test/' }, address);
    expect([url, body]).toEqual([root, expect.objectContaining({ topic, priority: 4 })]);
  });
});
