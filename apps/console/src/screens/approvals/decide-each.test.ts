import { ApiError } from '../../api/api-error.ts';
import type { ApprovalRequest } from '../../api/answers.ts';
import { decideEach } from './decide-each.ts';

const refuse = (status: number, code: string, message: string) => () =>
  Promise.reject(new ApiError({ status, code, message }));
const answer = (status: ApprovalRequest['status']) => () => Promise.resolve({ status } as ApprovalRequest);

/** Requests whose ids name their outcomes. */
const OUTCOMES: Readonly<Record<string, () => Promise<ApprovalRequest>>> = {
  approved: answer('approved'),
  counted: answer('pending'),
  settled: refuse(409, 'already_resolved', 'It is decided.'),
  voted: refuse(409, 'already_voted', 'You have already decided on this request.'),
  own: refuse(403, 'self_approval', 'Nobody approves a call of their own.'),
};

const decideOn = (...ids: string[]) =>
  decideEach(
    ids.map((id) => ({ id, tool_name: `tool ${id}` })),
    { decision: 'approve', comment: '' },
    (id) => (OUTCOMES[id] ?? answer('approved'))(),
  );

describe('a single decision for several requests (CON-26)', () => {
  it('succeeds if each request accepts it', async () => {
    expect(await decideOn('approved', 'approved')).toEqual({ text: '2 calls approved.', isAsAsked: true, failed: [] });
  });

  it('reports votes that only count toward a quorum', async () => {
    expect(await decideOn('approved', 'counted')).toEqual({
      text: '1 call approved. Your vote on 1 call was counted; more votes are needed.',
      isAsAsked: true,
      failed: [],
    });
  });

  it('continues after a request that is refused, and names that request', async () => {
    expect(await decideOn('own', 'settled', 'voted', 'approved')).toEqual({
      text: '1 call approved. Already decided, expired or cancelled: 1 call. Not decided: tool own: Nobody approves a call of their own. Not decided: tool voted: You have already decided on this request.',
      isAsAsked: false,
      failed: ['own', 'voted'],
    });
  });
});
