import type { Decision } from '@steward/slice-policies';
import { judge, type ToolCallDeps } from './decide-tool-call.ts';
import type { ToolCall } from './tool-call.ts';

/** What denies a call now, of one that was approved before. */
export async function findDenial(deps: ToolCallDeps, call: ToolCall): Promise<Decision | undefined> {
  const decision = await judge(deps, call);
  return decision.decision === 'deny' ? decision : undefined;
}
