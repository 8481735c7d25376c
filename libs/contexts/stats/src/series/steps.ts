export const SERIES_STEPS = ['minute', 'hour', 'day'] as const;

export type SeriesStep = (typeof SERIES_STEPS)[number];

const HOUR_MS = 3_600_000;

/** Maximum length of a range, by step. */
export const STEP_LIMITS: Readonly<Record<SeriesStep, { readonly rangeMs: number; readonly text: string }>> = {
  minute: { rangeMs: 24 * HOUR_MS, text: '24 hours' },
  hour: { rangeMs: 62 * 24 * HOUR_MS, text: '62 days' },
  day: { rangeMs: 400 * 24 * HOUR_MS, text: '400 days' },
};
