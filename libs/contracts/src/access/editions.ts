/**
 * Values of `SERVICE_EDITION`. Every feature is in `oss` unless a rule of the contract names another edition (ACC-22);
 * `cloud` has the same features as `oss`.
 */
export const EDITIONS = ['oss', 'cloud', 'enterprise'] as const;

export type Edition = (typeof EDITIONS)[number];
