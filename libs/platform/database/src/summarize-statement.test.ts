import { summarizeStatement } from './summarize-statement.ts';

describe('the summary of a statement', () => {
  it.each([
    ['select * from flows.flow where id = $1', 'SELECT', 'flows.flow'],
    ['  SELECT 1', 'SELECT', undefined],
    ['insert into "webhooks"."event" ("id") values ($1)', 'INSERT', 'webhooks.event'],
    ['update only search.chunk set body = $1', 'UPDATE', 'search.chunk'],
    ['delete from gateway.session', 'DELETE', 'gateway.session'],
    ['with a as (select id from flows.flow) select * from a', 'SELECT', 'flows.flow'],
    ['with a as (select id from x) insert into flows.execution (id) select id from a', 'INSERT', 'flows.execution'],
    ['select * from flows.claim_execution($1)', 'SELECT', 'flows.claim_execution'],
    ['select id from flows.flow for update skip locked', 'SELECT', 'flows.flow'],
    ['commit', 'COMMIT', undefined],
    ["set local statement_timeout = '5s'", 'SET', undefined],
    ['vacuum analyze', 'OTHER', undefined],
    ['', 'OTHER', undefined],
  ])('names the operation and the table of %j', (text, operation, collection) => {
    expect(summarizeStatement(text)).toEqual({ operation, collection });
  });

  it('omits the values in the statement', () => {
    expect(
      JSON.stringify(summarizeStatement("select 'canary' as x from flows.flow where name = 'canary'")),
    ).not.toContain('canary');
  });
});
