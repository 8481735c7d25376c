import { judgeApiText } from './judge-api-text.ts';

describe('a text of the OpenAPI document', () => {
  it.each([
    ['List the flows of the account, newest first.', true],
    ['Whether the flow runs.\n\nPermission: `view_flows`.', false],
    ['The flow.', false],
  ])('is accepted: %s', (text, isSummary) => {
    expect(judgeApiText(text, isSummary)).toBeUndefined();
  });

  it.each([
    ['What tools of agents call it by.', false, 'begins with "What"'],
    ['One connection.', true, 'begins with "One"'],
    ['Update a connection.\n\nOf Jira: the email address.', true, 'begins with "Of"'],
    ['Update a connection: what is left out stays.', true, 'omitted'],
  ])('is refused: %s', (text, isSummary, fault) => {
    expect(judgeApiText(text, isSummary)).toContain(fault);
  });
});
