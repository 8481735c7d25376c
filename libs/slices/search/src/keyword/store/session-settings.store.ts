/** Settings of the connections a search runs on. */
export const SEARCH_SESSION_SETTINGS = {
  // A bitmap that does not fit is lossy and reads every row again (measured: 0.5 s at 16 MB, 3.5 s at 1 MB).
  work_mem: '32MB',
  // Compiling a query of a few milliseconds takes longer than running it.
  jit: 'off',
  // Planning takes half of the database's time of a small search. What is prepared has one good plan whatever its values
  // are; the others ask for a plan of their own (`runStatement`).
  plan_cache_mode: 'force_generic_plan',
  // A kept plan does not know how large an account is. With reads in any order at one price the time index, which needs
  // no sort, is never dearer than collecting an account's rows first: right for a small account, vital for a large one.
  random_page_cost: '1',
} as const;
