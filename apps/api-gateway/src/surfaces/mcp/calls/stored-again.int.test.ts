import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';
import { connectMcp, type McpClient } from '../../../testing/mcp-tests.ts';

const approvals = useApprovals({});
const { query } = approvals.people;
const POLICY = `
version: "1"
rules:
  - { id: searches, description: Searches need a yes, match: { tools: ["local/search_sessions"] }, condition: "args.query == 'held'", action: require_approval }
`;
let client: McpClient;
beforeEach(async () => {
  await approvals.apply(POLICY);
  client = await connectMcp(approvals.people.gateway().url, await approvals.addAgent());
});
afterEach(() => client.close());

beforeEach(() =>
  query(`
    create sequence public.faults;
    create function public.fault() returns boolean language plpgsql security definer as $$
    begin
      if nextval('public.faults') = 1 then raise exception 'chosen as a victim' using errcode = '40P01'; end if;
      return true;
    end $$;
    create function public.fail_once() returns trigger language plpgsql security definer as $$
    begin
      perform public.fault();
      return new;
    end $$;
  `),
);
/** Makes the first matching statement fail as the victim of a deadlock. */
const failOnce = (statement: string) =>
  query(`create trigger fail_once before ${statement} execute function public.fail_once()`);
const countTries = async () => (await query('select last_value::int as tries from public.faults'))[0]?.['tries'];
afterEach(async () => {
  await query('drop function public.fail_once, public.fault cascade');
  await query('drop sequence public.faults');
});

describe('a call whose record the database initially fails to store', () => {
  it('still appears in its session (TOOL-13)', async () => {
    await failOnce(`insert on gateway.session_content for each row when (new.kind = 'tool_call')`);
    await client.call('search_sessions', { query: 'something' });
    await eventually(async () => {
      const [session] = (await approvals.call('GET', '/runtime-sessions')).body.items as { id: string }[];
      const { items } = (await approvals.call('GET', `/runtime-sessions/${session?.id}/timeline`)).body;
      return items?.length === 1;
    });
    expect(await countTries()).toBe(2);
  });

  it('is the only one missing if it can never be stored, without affecting calls that ended at the same time (TOOL-13)', async () => {
    await query(`
      create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before insert on gateway.session_content for each row
        when (new.content::text like '%poison%') execute function public.refuse();
    `);
    try {
      const asked = ['one', 'poison', 'two', 'three'];
      await Promise.all(asked.map((word) => client.call('search_sessions', { query: word })));
      await eventually(async () => {
        const rows = await query(`select content::text as text from gateway.session_content where kind = 'tool_call'`);
        const texts = rows.map(({ text }) => String(text));
        return ['one', 'two', 'three'].every((word) => texts.some((text) => text.includes(`"${word}"`)));
      });
    } finally {
      await query('drop function public.refuse cascade');
    }
  });

  it('is completed with its result if it was approved (TOOL-9)', async () => {
    const id = await holdAndApprove();
    await failOnce(`update on approvals.approval_run for each row when (new.state = 'done')`);
    const first = await readStatus(id);
    expect(first.structuredContent).toMatchObject({ results: [] });
    expect((await readStatus(id)).structuredContent).toEqual(first.structuredContent);
    expect(await countTries()).toBe(2);
  });
});

it('an approved call is made although the database initially fails to record the claim (TOOL-9)', async () => {
  const id = await holdAndApprove();
  await query(`
    alter table agents.agent enable row level security;
    create policy fail_once on agents.agent
      using (not exists (select from approvals.approval_run where state = 'running') or public.fault());
  `);
  const status = readStatus(id).finally(() => query('alter table agents.agent disable row level security'));
  expect((await status).structuredContent).toMatchObject({ results: [] });
  expect(await countTries()).toBeGreaterThan(1);
});

async function holdAndApprove(): Promise<string> {
  await approvals.call('POST', '/approval-workflows', {
    ...{ name: 'at once', approval_wait_seconds: 0, is_default: true },
  });
  const { structuredContent } = await client.call('search_sessions', { query: 'held' });
  const id = structuredContent?.['approval_request_id'] as string;
  await approvals.decide(id, 'approve');
  return id;
}

const readStatus = (id: string) => client.call('get_approval_status', { approval_request_id: id });
