/** The payload from the body of a manual trigger (FLOW-23), or the reason for a refusal. */
export type ManualPayload =
  | { readonly kind: 'payload'; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly kind: 'declared_twice' };

/**
 * Returns the payload of a body: a body that contains only `{"payload": {...}}` is unwrapped. Files declared both
 * inside and next to `payload` are refused, because one of the two lists would be ignored otherwise.
 */
export function unwrapManualPayload(body: Readonly<Record<string, unknown>>): ManualPayload {
  const inner = body.payload;
  const wraps = inner !== null && typeof inner === 'object' && !Array.isArray(inner);
  if (!wraps) return { kind: 'payload', payload: body };
  const innerObject = inner as Record<string, unknown>;
  if (Object.hasOwn(innerObject, 'workspace_files') && Object.hasOwn(body, 'workspace_files'))
    return { kind: 'declared_twice' };
  return { kind: 'payload', payload: Object.keys(body).length === 1 ? innerObject : body };
}
