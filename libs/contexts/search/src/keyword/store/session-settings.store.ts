/** Session settings for connections used by searches. */
export const SEARCH_SESSION_SETTINGS = {
  // If a bitmap does not fit, it becomes lossy and every row is read again (measured: 0.5 s at 16 MB, 3.5 s at 1 MB).
  work_mem: '32MB',
  // JIT compilation of a query that runs for a few milliseconds takes longer than running it.
  jit: 'off',
  // Planning takes half of the database time of a small search, so it is avoided. Prepared statements have one plan
  // that is good for any values; all others are planned for their values (`runStatement`).
  plan_cache_mode: 'force_generic_plan',
  // A cached plan cannot depend on the size of an account. If random reads cost as much as sequential reads, the
  // planner never estimates that the time index, which needs no sort, is more expensive than collecting and sorting an
  // account's rows. This is acceptable for a small account and essential for a large one.
  random_page_cost: '1',
} as const;
