import { flattenText } from '../flatten-text.ts';
import {
  isPresent,
  joinLines,
  toJson,
  toTokenColumns,
  type ContentKind,
  type EntryIdentity,
  type EntryTime,
  type EntryTokens,
} from './content-kind.ts';

/** One model call. `request` and `response` are JSON in the provider's format. */
export interface InteractionEntry extends EntryTime, EntryIdentity, EntryTokens {
  readonly kind: 'gateway_interaction';
  readonly modelAlias: string;
  readonly providerName: string;
  readonly request: unknown;
  readonly response: unknown;
  readonly status?: string | null | undefined;
  readonly costUsd?: number | null | undefined;
}

export const INTERACTION: ContentKind<InteractionEntry> = {
  toColumns: (entry, { captureContent }) => ({
    external_id: entry.externalId ?? null,
    model_alias: entry.modelAlias,
    provider_name: entry.providerName,
    status: entry.status ?? null,
    ...toTokenColumns(entry),
    cost_usd: entry.costUsd ?? null,
    contentJson: captureContent ? toJson({ request: entry.request, response: entry.response }) : null,
  }),
  toEntry(row) {
    const { request, response } = (row.content ?? {}) as { request?: unknown; response?: unknown };
    return {
      kind: 'gateway_interaction',
      modelAlias: row.modelAlias ?? '',
      providerName: row.providerName ?? '',
      request,
      response,
      status: row.status,
      inputTokens: row.inputTokens,
      outputTokens: row.outputTokens,
    };
  },
  toSearchText: (entry, { captureContent }) =>
    captureContent
      ? { text: renderInteraction(entry), redactionState: 'clear' }
      : { text: renderMetadata(entry), redactionState: 'metadata_only' },
};

function renderInteraction(entry: InteractionEntry): string {
  const metadata = [entry.modelAlias, entry.providerName, entry.status].filter(isPresent).join(' ');
  return joinLines([flattenText(entry.request), flattenText(entry.response), metadata]);
}

/**
 * Returns the text of an interaction with capture off: model, provider, status and token counts, but nothing that
 * reveals a prompt or a response.
 */
function renderMetadata(entry: InteractionEntry): string {
  return [
    `model ${entry.modelAlias}`,
    `provider ${entry.providerName}`,
    isPresent(entry.status) ? `status ${entry.status}` : undefined,
    isPresent(entry.inputTokens) ? `${entry.inputTokens} input tokens` : undefined,
    isPresent(entry.outputTokens) ? `${entry.outputTokens} output tokens` : undefined,
  ]
    .filter(isPresent)
    .join(', ');
}
