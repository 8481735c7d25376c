import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';
import { connectMcp, type McpClient } from '../../../testing/mcp-tests.ts';

const approvals = useApprovals();
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

/** The first time the database does that it is chosen as the victim of a deadlock. */
async function failOnce(statement: string): Promise<void> {
  await approvals.people.query(`
    create sequence public.faults;
    create function public.fail_once() returns trigger language plpgsql security definer as $$
    begin
      if nextval('public.faults') = 1 then raise exception 'chosen as a victim' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger fail_once before ${statement} execute function public.fail_once();
  `);
}
afterEach(async () => {
  const [{ faults } = {}] = await approvals.people.query('select last_value::int as faults from public.faults');
  await approvals.people.query('drop function public.fail_once cascade; drop sequence public.faults');
  expect(faults).toBe(2);
});

describe('a call whose record the database could not take at first', () => {
  it('stands in its session all the same (TOOL-13)', async () => {
    await failOnce(`insert on gateway.session_content for each row when (new.kind = 'tool_call')`);
    await client.call('search_sessions', { query: 'something' });
    await eventually(async () => {
      const [session] = (await approvals.call('GET', '/runtime-sessions')).body.items as { id: string }[];
      const { items } = (await approvals.call('GET', `/runtime-sessions/${session?.id}/timeline`)).body;
      return items?.length === 1;
    });
  });

  it('is done with its result, when it was approved (TOOL-9)', async () => {
    await approvals.call('POST', '/approval-workflows', {
      ...{ name: 'at once', approval_wait_seconds: 0, is_default: true },
    });
    const { structuredContent } = await client.call('search_sessions', { query: 'held' });
    const id = structuredContent?.['approval_request_id'] as string;
    await approvals.decide(id, 'approve');
    await failOnce(`update on approvals.approval_run for each row when (new.state = 'done')`);
    const read = () => client.call('get_approval_status', { approval_request_id: id });
    const first = await read();
    expect(first.structuredContent).toMatchObject({ results: [] });
    expect((await read()).structuredContent).toEqual(first.structuredContent);
  });
});
