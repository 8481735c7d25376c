/** `SERVICE_EDITION`. Everything is in `oss` unless a rule of interface.md names another edition. */
export const EDITIONS = ['oss', 'cloud', 'enterprise'] as const;

export type Edition = (typeof EDITIONS)[number];
