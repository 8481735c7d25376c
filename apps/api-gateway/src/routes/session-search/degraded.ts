/** The `degraded` part of a search answer. */
export interface Degraded {
  readonly keyword: boolean;
  readonly semantic: boolean;
  readonly reasons: readonly string[];
  readonly detail: string | null;
}

const DETAILS: Readonly<Record<string, string>> = {
  semantic_not_enabled: 'The account has not switched semantic search on; keyword results are complete.',
  semantic_disabled_by_deployment: 'Semantic search is switched off on this deployment; keyword results are complete.',
};

/** Keyword results are never degraded; the semantic half says why it did not run. */
export function describeDegraded(mode: string, deploymentEmbeds: boolean): Degraded {
  if (mode === 'keyword') return { keyword: false, semantic: false, reasons: [], detail: null };
  const reason = deploymentEmbeds ? 'semantic_not_enabled' : 'semantic_disabled_by_deployment';
  return { keyword: false, semantic: true, reasons: [reason], detail: DETAILS[reason] ?? null };
}
