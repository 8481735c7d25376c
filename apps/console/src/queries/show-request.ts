import { showSigns } from '@steward/text';
import type { ApprovalPage, ApprovalRequest } from '../api/answers.ts';

/**
 * Returns a request in the form that approvers see: characters that are invisible, or that reorder other characters,
 * are made visible. The arguments are unchanged; `showArguments` renders them.
 */
export function showRequest({ arguments: args, ...request }: ApprovalRequest): ApprovalRequest {
  return { ...(showTexts(request) as Omit<ApprovalRequest, 'arguments'>), arguments: args } as ApprovalRequest;
}

export function showPage(page: ApprovalPage): ApprovalPage {
  return { ...page, items: page.items.map(showRequest) };
}

export function showArguments(request: ApprovalRequest): string {
  return showSigns(JSON.stringify(request.arguments, null, 2));
}

function showTexts(value: unknown): unknown {
  if (typeof value === 'string') return showSigns(value);
  if (Array.isArray(value)) return value.map(showTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, showTexts(each)]));
}
