import type { ApprovalWorkflow } from '../../workflows/approval-workflow.ts';
import { WORKFLOW_DEFAULTS } from '../../workflows/approval-workflow.ts';
import type { AiVerdict, ApprovalVote } from '../approval-request.ts';
import { describeOutlook, judgeOutlook } from './outlook.ts';

const people = (...names: string[]) => names.map((username) => ({ userId: username, username }));
const vote = (userId: string) => ({ userId, decision: 'approve' }) as ApprovalVote;

function judge(
  fields: Partial<ApprovalWorkflow>,
  asked: { people?: string[]; votes?: string[]; request?: object } = {},
): ReturnType<typeof judgeOutlook> {
  const workflow = { ...WORKFLOW_DEFAULTS, name: 'w', ...fields } as ApprovalWorkflow;
  const request = { quorum: workflow.quorum, requesterUserId: 'owner', humanOnly: false, ai: null, ...asked.request };
  const votes = (asked.votes ?? []).map(vote);
  return judgeOutlook(request, { workflow, people: people(...(asked.people ?? [])), votes });
}

describe('the description of who can decide a request (APR-24)', () => {
  it.each<[string, boolean, Partial<ApprovalWorkflow>, Parameters<typeof judge>[1]]>([
    ['somebody may decide', true, {}, { people: ['dana'] }],
    ['nobody may decide', false, {}, {}],
    ['only the caller may decide', false, {}, { people: ['owner'] }],
    ['the caller may decide their own requests', true, { allowSelfApproval: true }, { people: ['owner'] }],
    ['one of two has approved, and one is left', true, { quorum: 2 }, { people: ['dana', 'kim'], votes: ['dana'] }],
    ['one of two has approved, and nobody else is left', false, { quorum: 2 }, { people: ['dana'], votes: ['dana'] }],
    ['one who approved may no longer decide', true, { quorum: 2 }, { people: ['kim'], votes: ['dana'] }],
    ['the caller is one of two', false, { quorum: 2 }, { people: ['owner', 'dana'] }],
    ['the quorum has been lowered', true, { quorum: 1 }, { people: ['dana'], request: { quorum: 3 } }],
    ['the quorum has been raised', true, { quorum: 3 }, { people: ['dana'], request: { quorum: 1 } }],
    ['a model will be asked', true, { mode: 'ai_first' }, {}],
    ['a model has left it to people', false, { mode: 'ai_first' }, { request: { ai: {} as AiVerdict } }],
    ['no model may decide', false, { mode: 'ai_first' }, { request: { humanOnly: true } }],
  ])('if %s: it can be approved: %s', (_what, isReachable, fields, asked) => {
    const outlook = judge(fields, asked);
    expect([outlook.isReachable, outlook.stuckReason === null]).toEqual([isReachable, isReachable]);
    expect(describeOutlook(outlook)).toMatch(/\.$/);
  });

  it('mentions the setting if the caller is excluded, and the quorum if there is one', () => {
    expect(judge({}, { people: ['owner'] }).stuckReason).toMatch(/the workflow "w" sets "allow_self_approval"/);
    expect(judge({}, {}).stuckReason).not.toMatch(/allow_self_approval|quorum/);
    expect(judge({ quorum: 2 }, { people: ['dana'] }).stuckReason).toMatch(
      /only 1 more person may decide on it\..* lower its quorum/,
    );
  });

  it('names up to ten people', () => {
    const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
    const say = (count: number) => describeOutlook(judge({}, { people: names.slice(0, count) }));
    expect([say(1), say(2), say(3)]).toEqual(['p0 may decide.', 'p0 or p1 may decide.', 'p0, p1 or p2 may decide.']);
    expect(say(12)).toMatch(/p8 or p9 or others may decide\.$/);
  });

  it('is empty if the workflow was deleted', () => {
    const request = { quorum: 1, requesterUserId: 'owner', humanOnly: false, ai: null };
    expect(judgeOutlook(request, { workflow: undefined, people: [], votes: [] })).toMatchObject({
      isReachable: false,
      stuckReason: 'Its workflow was deleted.',
    });
  });
});
