/** Session settings of the connections that searches use. */
export const SEARCH_SESSION_SETTINGS = {
  // A bitmap that does not fit becomes lossy and every row is read again (measured: 0.5 s at 16 MB, 3.5 s at 1 MB).
  work_mem: '32MB',
  // Compiling a query of a few milliseconds takes longer than running it.
  jit: 'off',
  // Planning takes half of the database time of a small search. Prepared statements have one good plan for any values;
  // the others are planned for their values (`runStatement`).
  plan_cache_mode: 'force_generic_plan',
  // A cached plan does not depend on the size of an account. If reads in any order cost the same, the time index, which
  // needs no sort, is never more expensive than collecting an account's rows first: this is suitable for a small
  // account and essential for a large one.
  random_page_cost: '1',
} as const;
