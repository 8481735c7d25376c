import { isCounting, type CallPath } from '@steward/model-calls';
import type { UsageRow } from '@steward/models';
import { openSpan, type OpenSpan } from '@steward/telemetry';
import type { HeldModel } from './call-record.ts';

function nameOperation(path: CallPath): string {
  if (path === '/embeddings') return 'embeddings';
  return isCounting(path) ? 'count_tokens' : 'chat';
}

/**
 * Opens the span of a model call, as a child of the span of the request. The span contains names and counts, but no
 * content.
 */
export function openCallSpan(path: CallPath, model: HeldModel, parent: string): OpenSpan | undefined {
  const operation = nameOperation(path);
  return openSpan({
    name: `${operation} ${model.alias}`,
    kind: 'client',
    parent,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': model.provider,
      'gen_ai.request.model': model.alias,
    },
  });
}

/** Ends the span with the usage row of the call. */
export function endCallSpan(
  span: OpenSpan,
  { id, provider, modelAlias, inputTokens, outputTokens, status, errorClass }: UsageRow,
): void {
  span.set({
    // A fallback may belong to a different provider than the first model.
    'gen_ai.provider.name': provider ?? undefined,
    'gen_ai.response.model': modelAlias ?? undefined,
    'gen_ai.usage.input_tokens': inputTokens ?? undefined,
    'gen_ai.usage.output_tokens': outputTokens ?? undefined,
    'steward.model_call.id': id,
    'steward.model_call.status': status,
  });
  span.end(status === 'ok' ? undefined : (errorClass ?? status));
}
