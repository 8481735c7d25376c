import { checkEventFilter, evaluateEventFilter } from './event-filter.ts';

const payload = { action: 'opened', pull_request: { draft: false, title: 'Fix', labels: [{ name: 'bug' }] } };
const event = { name: 'pull_request', action: 'opened', names: ['pull_request', 'pull_request.opened'] };
const now = new Date('2026-03-01T12:00:00Z');
const run = (text: string, given: unknown = payload) => evaluateEventFilter(text, { payload: given, event, now });

describe('the filter of a webhook (FLOW-54)', () => {
  it.each([
    ['payload.pull_request.draft == false', true],
    ['payload.pull_request.draft', false],
    ['payload.pull_request.labels.exists(l, l.name == "bug")', true],
    ['event.name == "pull_request" && event.action in ["opened", "reopened"]', true],
    ['"pull_request.opened" in event.names', true],
    ['has(payload.issue)', false],
    ['payload.pull_request.title.matches("^(Fix|Add)")', true],
    ['now < timestamp("2026-03-02T00:00:00Z")', true],
  ])('%s evaluates to %p', (text, value) => {
    expect(checkEventFilter(text)).toEqual([]);
    expect(run(text)).toEqual({ kind: 'value', value });
  });

  it.each([
    ['payload.', 'syntax'],
    ['args.x == 1', 'There is no variable "args". Available variables: payload, event, now.'],
    ['event.nam == "x"', '"event" has no field "nam". Its fields: name, action, names.'],
    ['event.name', 'does not return true or false'],
    ['session.calls("a/*") > 1', 'There is no variable "session".'],
    ['payload.x.matches(payload.y)', 'must be a literal in the condition'],
    [`payload.x == "${'x'.repeat(5_000)}"`, 'longer than 4 KiB'],
  ])('refuses %s', (text, problem) => {
    expect(checkEventFilter(text).join(' ')).toMatch(problem === 'syntax' ? /./ : new RegExp(escape(problem)));
  });

  it('fails on missing fields, and on payloads that are too large', () => {
    expect(run('payload.issue.number > 1').kind).toBe('error');
    expect(run('payload.a == "x"', { a: 'y'.repeat(300_000) })).toEqual({
      kind: 'error',
      message: 'the payload is larger than 256 KiB',
    });
    const list = Array.from({ length: 5_000 }, () => 1);
    expect(run('payload.a.all(x, payload.a.all(y, x == y))', { a: list })).toEqual({
      kind: 'error',
      message: 'the filter would take too long for a payload of this size',
    });
  });
});

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
