import { Type, type Static } from '@sinclair/typebox';
import { compileBodyValidation } from '@steward/http';
import { toPlainJson } from '@steward/text';
import { askOperator, describeCaller } from '@steward/tool-calls';
import { answerRequest } from '../approvals/answer-request.ts';
import { waitForRequest, type HoldDeps } from '../approvals/wait-for-request.ts';
import type { BuiltinTool } from '../tool.ts';
import { answerError } from '../tool-results.ts';

export type AskDeps = HoldDeps;

export const ASK_OPERATOR = 'ask_operator';

const Arguments = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 4_000, description: 'Your question, in full sentences.' }),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 20,
        description: 'Possible answers.',
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool that asks people a question, which they answer like any approval request: with yes or no, and a
 * comment.
 */
export function createAskOperatorTool(deps: AskDeps): BuiltinTool {
  const validate = compileBodyValidation(Arguments);
  return {
    definition: {
      name: ASK_OPERATOR,
      description:
        'Ask the operators a question. The response may take a while: if the first result is pending_approval, call get_approval_status.',
      inputSchema: JSON.parse(JSON.stringify(Arguments)) as { type: 'object' },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async call(call) {
      const args = validate(toPlainJson(call.arguments)) as Static<typeof Arguments>;
      const { principal, requestId: correlationId, traceparent } = call.caller;
      const verdict = await askOperator(deps, {
        ...(await describeCaller(deps.db, principal)),
        tool: { name: ASK_OPERATOR, server: 'local' },
        args,
        reasoning: args.question,
        correlationId,
        traceparent,
      });
      if (verdict.kind === 'denied') return answerError(`Denied by policy: ${verdict.decision.ruleDescription}`);
      if (verdict.kind !== 'pending') return answerRequest(verdict.request);
      return answerRequest(await waitForRequest(deps, call, verdict));
    },
  };
}
