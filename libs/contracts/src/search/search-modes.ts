/** Search modes: by keywords, by meaning, or by both. */
export const SEARCH_MODES = ['keyword', 'semantic', 'hybrid'] as const;

export type SearchMode = (typeof SEARCH_MODES)[number];
